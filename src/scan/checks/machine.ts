import { findProgram, readVersion } from "../../agents/call/agent-version.ts";
import { stateFolder } from "../../journal/session-store.ts";
import { readPathKinds } from "../../platform/fs/path-kinds.ts";
import { isPortOpen } from "../../platform/net/is-port-open.ts";
import { describePortOwner } from "../../platform/process/listening-ports.ts";
import { type Check, failure, pass, skipped, warningResult } from "../check.ts";
import type { ScanContext } from "../scan-context.ts";

const oldest = 24;

/** Checks the version of Node: npm does not enforce the one in package.json. */
export const node: Check = {
  name: "node",
  needs: [],
  run: async () => {
    const { node: version } = process.versions;
    const found = { version, path: process.execPath };
    if (Number.parseInt(version, 10) >= oldest) return pass(`Node ${version}`, found);
    return failure(`ralph needs Node ${oldest} or newer; this is ${version}.`, {
      ...found,
      remedy: `Install Node ${oldest}, or switch to it with your version manager.`,
    });
  },
};

const fixes = [{ install: "git" }];

/** Checks that git is installed and new enough. */
export const git: Check = {
  name: "git",
  needs: [],
  fixes,
  run: async (context) => {
    const { system, root } = context;
    const path = await findProgram(system, { file: "git", root });
    if (path === undefined) {
      return failure("`git` is not on PATH.", { remedy: "Install git 2.34 or newer.", fixes });
    }
    await context.git();
    const version = await readVersion(system, ["git", "--version"], root);
    return pass(["git", version].filter(Boolean).join(" "), { path, ...(version && { version }) });
  },
};

/** Checks that the state directory is writable and outside of the project. */
export const state: Check = {
  name: "state",
  needs: [],
  run: async (context) => {
    const { system, root } = context;
    const path = await context.state();
    if (isInside(path, root)) {
      return warningResult(`${path} is inside the project, where agents write.`, {
        path,
        remedy: "Set RALPH_STATE_DIR to a folder outside of the project.",
      });
    }
    const hasFlock = (await findProgram(system, { file: "flock", root })) !== undefined;
    const locks = hasFlock ? "" : "; `flock` is missing, so a lock file replaces it";
    return pass(`${path} is writable${locks}`, { path });
  },
};

function isInside(path: string, root: string): boolean {
  const real = (folder: string) => readPathKinds([folder]).folders[0] ?? folder;
  return `${real(path)}/`.startsWith(`${real(root)}/`);
}

/** Checks that the ports of services are free: a service whose port is taken ends a run (exit 9). */
export const ports: Check = {
  name: "ports",
  needs: ["config"],
  run: async (context) => {
    const services = Object.entries((await context.config()).config.services);
    if (services.length === 0) return pass("no services are configured");
    const taken: string[] = [];
    for (const [name, { port }] of services) {
      if (!(await isPortOpen(port))) continue;
      const owner = describePortOwner(port) ?? "another program";
      taken.push(`port ${port} of ${name} is taken by ${owner}`);
    }
    if (taken.length === 0) return pass(services.map(([, { port }]) => port).join(", "));
    return warningResult(taken.join("\n"), {
      remedy: "End these programs before a run, or set other ports in `services`.",
    });
  },
};

const mebibyte = 1024;
/** Enough for evidence, git objects and a checkout of a small project; below the minimum a session ends (F05). */
const comfortable = 1024 * mebibyte;
const least = 100 * mebibyte;

/** Checks the free space for the work tree and the state directory. */
export const disk: Check = {
  name: "disk",
  needs: [],
  run: async (context) => {
    const free = await freeSpace(context);
    const [tightest] = free.toSorted((one, other) => one.kibibytes - other.kibibytes);
    if (tightest === undefined) return skipped("`df` does not report the free space");
    const { kibibytes, mount } = tightest;
    const room = `${renderRoom(kibibytes)} free on ${mount}`;
    const remedy = "Free some space; `ralph clean` removes old sessions.";
    if (kibibytes < least) return failure(room, { path: mount, remedy });
    return kibibytes < comfortable
      ? warningResult(room, { path: mount, remedy })
      : pass(room, { path: mount });
  },
};

type Free = { mount: string; kibibytes: number };

async function freeSpace({ system, root }: ScanContext): Promise<Free[]> {
  // df reports missing folders on stderr, and the others on stdout.
  const args = ["-Pk", root, stateFolder(system.env)];
  const { stdout } = await system.ask({
    file: "df",
    args,
    cwd: "/",
    env: { PATH: system.env.PATH },
  });
  return stdout.toString().split("\n").slice(1).flatMap(readLine);
}

function readLine(line: string): Free[] {
  const [, kibibytes, mount] = /\s(\d+)\s+\S+%\s+(\/.*)$/.exec(line) ?? [];
  return kibibytes && mount ? [{ mount, kibibytes: Number(kibibytes) }] : [];
}

const renderRoom = (kibibytes: number) =>
  kibibytes < comfortable
    ? `${Math.floor(kibibytes / mebibyte)} MiB`
    : `${(kibibytes / mebibyte / 1024).toFixed(1)} GiB`;
