import { basename } from "node:path/posix";
import { readLink, readNames, readProcesses, readText } from "./process-table.ts";

/** A listening TCP socket, by its inode (proc(5), /proc/net/tcp). */
export type ListeningSocket = { port: number; inode: string };

/** TCP ports on which these processes listen, sorted; undefined without /proc. */
export function portsOf(pids: readonly number[]): number[] | undefined {
  const sockets = readListening();
  if (!sockets) return undefined;
  const own = new Set(pids.flatMap(socketsOf));
  const ports = sockets.filter(({ inode }) => own.has(inode)).map(({ port }) => port);
  return [...new Set(ports)].toSorted((one, other) => one - other);
}

/** The process that listens on a port, as `node (pid 4711, /srv/x)`; undefined where it cannot be found. */
export function describePortOwner(port: number): string | undefined {
  const inodes = new Set(
    readListening()
      ?.filter((socket) => socket.port === port)
      .map(({ inode }) => inode),
  );
  const owner = readProcesses().find(({ pid }) => socketsOf(pid).some((each) => inodes.has(each)));
  if (!owner) return undefined;
  const folder = readLink(`/proc/${owner.pid}/cwd`);
  return `${programOf(owner.pid)} (pid ${owner.pid}${folder === undefined ? "" : `, ${folder}`})`;
}

/** The program as it was started: threads such as Node's rename what `comm` says. */
function programOf(pid: number): string {
  const [program = ""] = readText(`/proc/${pid}/cmdline`)?.split(/[\0 ]/) ?? [];
  return basename(program).replace(/:$/, "") || "a program";
}

function readListening(): ListeningSocket[] | undefined {
  const tables = ["tcp", "tcp6"].map((name) => readText(`/proc/net/${name}`));
  if (tables.every((table) => table === undefined)) return undefined;
  return tables.flatMap((table) => parseListening(table ?? ""));
}

/** Sockets in the state LISTEN (0A). Pure. */
export const parseListening = (table: string): ListeningSocket[] =>
  table.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    if (state !== "0A" || inode === undefined) return [];
    return [{ port: Number.parseInt(local.slice(local.lastIndexOf(":") + 1), 16), inode }];
  });

/** Inodes of a process's sockets; empty for one that has ended or belongs to another user. */
const socketsOf = (pid: number): string[] =>
  readNames(`/proc/${pid}/fd`).flatMap((name) => {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${pid}/fd/${name}`) ?? "") ?? [];
    return inode ?? [];
  });
