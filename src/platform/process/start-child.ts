import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { hasCode } from "../file-error.ts";
import type { SupervisedCommand, SupervisedEnd } from "../system.ts";
import { countStarted, readStartTime } from "./process-table.ts";
import type { TreeRoot } from "./process-tree.ts";

export interface StartedChild {
  readonly kind: "started";
  readonly child: ChildProcessWithoutNullStreams;
  readonly root: TreeRoot;
  readonly exited: Promise<SupervisedEnd>;
  /** Settles once the program has ended and no process holds its output open. */
  readonly closed: Promise<unknown>;
}

type NotStarted = Extract<SupervisedEnd, { kind: "not-started" }>;

/** `input: null` leaves the standard input open for later writes. */
export type Startable = Pick<SupervisedCommand, "file" | "args" | "cwd" | "env"> & {
  input?: string | null | undefined;
};

/** Starts a program as the leader of its own session, with `mark` (`NAME=value`) in its environment. */
export async function startChild(
  command: Startable,
  mark: string,
): Promise<StartedChild | NotStarted> {
  try {
    const before = countStarted();
    const child = spawnMarked(command, mark);
    const exited = new Promise<SupervisedEnd>((resolve) => {
      child.once("exit", (code, signal) => resolve(nameExit(code, signal)));
    });
    const closed = new Promise((resolve) => child.once("close", resolve));
    await once(child, "spawn");
    feed(child, command.input);
    return {
      kind: "started",
      child,
      root: { ...describeRoot(child, mark), before },
      exited,
      closed,
    };
  } catch (error) {
    if (!hasCode(error)) throw error;
    return { kind: "not-started", code: error.code, message: error.message };
  }
}

function spawnMarked(command: Startable, mark: string): ChildProcessWithoutNullStreams {
  const [name = "", value] = mark.split("=");
  return spawn(command.file, command.args, {
    cwd: command.cwd,
    env: { ...command.env, [name]: value },
    detached: true,
    stdio: "pipe",
  });
}

const nameExit = (code: number | null, signal: string | null): SupervisedEnd =>
  signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "killed", signal };

/** Ignores EPIPE: the program may end without reading all of its input. */
function feed(child: ChildProcessWithoutNullStreams, input: Startable["input"]): void {
  child.stdin.on("error", () => undefined);
  if (input !== null) child.stdin.end(input ?? "");
}

/** Read before the event loop continues: until then even an ended program keeps its entry. */
const describeRoot = ({ pid = 0 }: ChildProcessWithoutNullStreams, mark: string): TreeRoot => ({
  pid,
  startTime: readStartTime(pid),
  mark,
});

/** From here on the process cannot keep this one alive. */
export function release({ child }: StartedChild): void {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  child.unref();
}
