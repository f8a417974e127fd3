import { dirname } from "node:path/posix";
import { createTemporaryName } from "../../platform/fs/temporary-file.ts";
import { type Connect, openPortLink } from "../../platform/net/port-link.ts";
import type { CagePort } from "../../sandbox/network-cage.ts";
import { type GatePlace, gateDepsAt } from "./gate-deps-at.ts";

type Program = { file: string; args: readonly string[] };

/** How services, the browser and ralph reach each other where each program has a loopback interface of its own. */
export interface ServiceNetwork extends AsyncDisposable {
  /** Runs a service that listens on this port; it reaches the others. */
  readonly wrap: (program: Program, port?: number) => Program;
  /** The same place, whose programs reach all services. */
  readonly reaching: <Place extends GatePlace>(place: Place) => Place;
  /** Undefined where ralph connects to the port as anybody does. */
  readonly connectTo: (port: number) => Connect | undefined;
}

export async function openServiceNetwork(
  place: GatePlace,
  ports: readonly number[],
): Promise<ServiceNetwork> {
  const { wrap } = gateDepsAt(place);
  if (!wrap({ file: "true", args: [] }).args.includes("--unshare-net")) {
    return {
      wrap,
      reaching: (same) => same,
      connectTo: () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const { system, repo } = place;
  // Beside the private git directory, where no program looks in; a temporary name, so that it is removed after a crash.
  const store = system.files(dirname(repo.privateDir));
  const name = createTemporaryName();
  await store.makeFolder(name);
  const links = await Promise.all(ports.map((port) => openPortLink(`${store.root}/${name}`, port)));
  const portsOf = (own?: number): CagePort[] =>
    links.map(({ port, served, reached }) =>
      port === own
        ? { direction: "in", port, socket: served }
        : { direction: "out", port, socket: reached },
    );
  return {
    wrap: (program, port) => place.wrap(program, { worktree: repo.worktree, ports: portsOf(port) }),
    reaching: (same) => ({
      ...same,
      wrap: (program, where) => same.wrap(program, { ...where, ports: portsOf() }),
    }),
    connectTo: (port) => links.find((link) => link.port === port)?.connect,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(links.map((link) => link[Symbol.asyncDispose]()));
      await store.remove(name);
    },
  };
}
