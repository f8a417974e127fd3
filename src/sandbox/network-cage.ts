import { fileURLToPath } from "node:url";
import type { ProgramCommand } from "./process-limits.ts";

/** The network of a program in the sandbox: the machine's, none at all, or none but the proxy behind a socket. */
export type SandboxNetwork =
  | { readonly kind: "host" }
  | ({ readonly kind: "none" } & CagePorts)
  | ({ readonly kind: "cage"; readonly socket: string } & CagePorts);

/** Each program in a closed network has a loopback interface of its own; these ports of it lead further. */
interface CagePorts {
  readonly ports?: readonly CagePort[];
}

export interface CagePort {
  /** `out`: connections to the port go to the socket. `in`: those that come through the socket go to the port. */
  readonly direction: "in" | "out";
  readonly port: number;
  /** Path of a socket outside. */
  readonly socket: string;
}

/** Where programs in the cage reach the proxy. Nothing else listens there: the loopback interface is their own. */
const proxyPort = 31_280;
const socketsInside = "/run/ralph-network";

export const addressInCage = `http://127.0.0.1:${proxyPort}`;

/** The options of bubblewrap that close the network. Pure. */
export const isolateNetwork = ({ kind }: SandboxNetwork): string[] =>
  kind === "host" ? [] : ["--unshare-net"];

/** The mounts of the sockets. Pure. */
export function mountsOfNetwork(network: SandboxNetwork): { path: string; option: string[] }[] {
  return portsOf(network).map((each) => {
    const path = `${socketsInside}/${nameOf(each)}`;
    return { path, option: ["--ro-bind", each.socket, path] };
  });
}

function portsOf(network: SandboxNetwork): CagePort[] {
  if (network.kind === "host") return [];
  const { ports = [] } = network;
  if (network.kind === "none") return [...ports];
  return [{ direction: "out", port: proxyPort, socket: network.socket }, ...ports];
}

const nameOf = ({ direction, port }: CagePort) => `${direction}-${port}`;

/** Pure. Names without a scheme are what curl, git, npm, pip, cargo, go and Node read. */
export function variablesInNetwork({ kind }: SandboxNetwork): string[] {
  if (kind !== "cage") return [];
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
  const direct = ["NO_PROXY", "no_proxy"];
  return [
    ...proxies.map((name) => [name, addressInCage]),
    ...direct.map((name) => [name, "localhost,127.0.0.1,::1"]),
    ["NODE_USE_ENV_PROXY", "1"],
  ].flatMap(([name = "", value = ""]) => ["--setenv", name, value]);
}

/** The command behind the forwarder, which connects the cage's loopback interface with the sockets. Pure. */
export function commandInNetwork(command: ProgramCommand, network: SandboxNetwork): ProgramCommand {
  const names = portsOf(network).map(nameOf).join(",");
  if (names === "") return command;
  const node = ["--max-old-space-size=64", "--max-semi-space-size=1", forwarder()];
  return {
    file: process.execPath,
    args: [...node, socketsInside, names, command.file, ...command.args],
  };
}

/** From source it is a file in this folder; in a build it is next to the programs, one folder above their parts. */
function forwarder(): string {
  const file = import.meta.url.endsWith(".ts")
    ? "./cage-forwarder.ts"
    : import.meta.url.replace(/(?:\/parts)?\/[^/]*$/, "/cage-forwarder.js");
  return fileURLToPath(new URL(file, import.meta.url));
}
