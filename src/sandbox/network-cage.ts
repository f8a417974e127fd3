import { fileURLToPath } from "node:url";

/** The network of a program in the sandbox: the machine's, none at all, or none but the proxy behind a socket. */
export type SandboxNetwork =
  | { readonly kind: "host" }
  | { readonly kind: "none" }
  | { readonly kind: "cage"; readonly socket: string };

type Command = { readonly file: string; readonly args: readonly string[] };

/** Where programs in the cage reach the proxy. Nothing else listens there: the loopback interface is their own. */
const port = 31_280;
const socketInside = "/run/ralph-network";

export const addressInCage = `http://127.0.0.1:${port}`;

/** The options of bubblewrap that close the network. Pure. */
export const isolateNetwork = ({ kind }: SandboxNetwork): string[] =>
  kind === "host" ? [] : ["--unshare-net"];

/** The options that lead programs to the proxy, and the mount of its socket. Pure. */
export function mountsOfNetwork(network: SandboxNetwork): { path: string; option: string[] }[] {
  if (network.kind !== "cage") return [];
  return [{ path: socketInside, option: ["--ro-bind", network.socket, socketInside] }];
}

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

/** The command behind the forwarder, which connects the cage's loopback interface with the proxy's socket. Pure. */
export function commandInNetwork(command: Command, { kind }: SandboxNetwork): Command {
  if (kind !== "cage") return command;
  const node = ["--max-old-space-size=64", "--max-semi-space-size=1", forwarder()];
  return {
    file: process.execPath,
    args: [...node, socketInside, String(port), command.file, ...command.args],
  };
}

/** From source it is a file in this folder; in a build it is next to the programs, one folder above their parts. */
function forwarder(): string {
  const file = import.meta.url.endsWith(".ts")
    ? "./cage-forwarder.ts"
    : import.meta.url.replace(/(?:\/parts)?\/[^/]*$/, "/cage-forwarder.js");
  return fileURLToPath(new URL(file, import.meta.url));
}
