import type { LongProcess, StartLong } from "../system.ts";
import { portsOf } from "./listening-ports.ts";
import { createMark } from "./orphans.ts";
import { createOutputKeeper } from "./output-keeper.ts";
import { endTree, type KnownMembers, treeMembers } from "./process-tree.ts";
import { release, type StartedChild, startChild } from "./start-child.ts";

/** Several services stop one after the other within the 2 s of a cancelled session (design 4). */
const graceMs = 500;

/** The program is the leader of its own session; its descendants carry the mark of this call, as `supervise` does it. */
export const startLong: StartLong = async (command) => {
  const started = await startChild({ ...command, input: null }, createMark());
  if (started.kind === "not-started") return started;
  const { child, root, exited } = started;
  const kept = createOutputKeeper(command.keepBytes);
  const known: KnownMembers = new Map();
  child.stdout.on("data", (chunk: Buffer) => {
    kept.push(chunk);
    command.onOutput?.(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => kept.push(chunk));
  let stopped: Promise<number> | undefined;
  return {
    kind: "started",
    pid: root.pid,
    exited,
    output: () => ({ text: kept.text(), bytes: kept.bytes() }),
    write: (text) => void child.stdin.write(text),
    ports: () => portsOf(treeMembers(root, known)),
    isAlive: () => isAlive(started, known),
    stop: () => {
      stopped ??= end(started, known);
      return stopped;
    },
  } satisfies LongProcess;
};

/** Without /proc only the program itself is known. */
const isAlive = ({ child, root }: StartedChild, known: KnownMembers) =>
  treeMembers(root, known).length > 0 || (root.startTime === undefined && child.exitCode === null);

async function end(started: StartedChild, known: KnownMembers): Promise<number> {
  await endTree(started.root, graceMs, known);
  release(started);
  return treeMembers(started.root, known).length;
}
