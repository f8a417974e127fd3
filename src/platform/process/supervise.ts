import { clock, longestTimerMs } from "../clock.ts";
import type { Supervise, SupervisedCommand, SupervisedEnd } from "../system.ts";
import { createMark } from "./orphans.ts";
import { createOutputKeeper, type OutputKeeper } from "./output-keeper.ts";
import { endTree } from "./process-tree.ts";
import { release, type StartedChild, startChild } from "./start-child.ts";
import { watchLimits } from "./watch-limits.ts";

const defaultKeepBytes = 2 * 1024 * 1024;
/** A cancelled session has 2 s in total (design 4): the tree gets less than half of it to comply. */
const graceMs = 700;
/** Longest wait for output in the pipe after the program has ended. */
const drainMs = 250;

/** The exit of the program itself ends the call, even if another process holds its output open (F26, F27). */
export const supervise: Supervise = async (command) => {
  const began = clock.monotonic();
  const limit = command.keepBytes ?? defaultKeepBytes;
  const kept = { stdout: createOutputKeeper(limit), stderr: createOutputKeeper(limit) };
  const ended = await runToEnd(command, kept);
  const [stdout, stderr] = [kept.stdout.text(), kept.stderr.text()];
  const ms = clock.monotonic() - began;
  return { ...ended, stdout, stderr, stdoutBytes: kept.stdout.bytes(), ms };
};

type Kept = { stdout: OutputKeeper; stderr: OutputKeeper };
type Ended = { end: SupervisedEnd; lingering: number };

async function runToEnd(command: SupervisedCommand, kept: Kept): Promise<Ended> {
  if (command.signal?.aborted) return { end: { kind: "cancelled" }, lingering: 0 };
  const started = await startChild(command, createMark());
  if (started.kind === "not-started") return { end: started, lingering: 0 };
  keepOutput(started, { command, kept });
  const end = await waitForEnd(started, command);
  // A process that only finishes writing (`exec > >(tee log)`) may do so before it is ended.
  const hasExited = end.kind === "exited" || end.kind === "killed";
  if (hasExited) await drain(started);
  const lingering = await endTree(started.root, graceMs);
  await drain(started);
  release(started);
  return { end, lingering };
}

function keepOutput(
  { child }: StartedChild,
  { command, kept }: { command: SupervisedCommand; kept: Kept },
): void {
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      kept[name].push(chunk);
      if (name === "stdout") command.onOutput?.(chunk);
      giveBack(chunk);
    });
  }
}

/** Frees a chunk's memory at once: otherwise a hundred megabytes could accumulate until garbage collection (F28). */
function giveBack({ buffer, byteLength }: Buffer): void {
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (isWhole) buffer.transfer(0);
}

async function drain({ closed }: StartedChild): Promise<void> {
  const enough = new AbortController();
  await Promise.race([closed, clock.sleep(drainMs, enough.signal)]);
  // With a reason, so that aborting does not create an unused error.
  enough.abort("ended");
}

type Limits = Pick<SupervisedCommand, "timeoutMs" | "idleMs" | "limits" | "signal">;

/** Waits for the first end of the call: the program, its time limit, its silence, or the user. */
async function waitForEnd(started: StartedChild, limits: Limits): Promise<SupervisedEnd> {
  using timers = new DisposableStack();
  const limited = new Promise<SupervisedEnd>((resolve) => {
    startTimer(timers, limits.timeoutMs, () => resolve({ kind: "timed-out" }));
    watchSilence(timers, { started, limits, onIdle: () => resolve({ kind: "idle" }) });
    watchAbort(timers, limits.signal, () => resolve({ kind: "cancelled" }));
    if (limits.limits) {
      const onExceeded = (message: string) => resolve({ kind: "over-limit", message });
      timers.use(watchLimits(started.root, limits.limits, onExceeded));
    }
  });
  return await Promise.race([started.exited, limited]);
}

function startTimer(timers: DisposableStack, ms: number, onEnd: () => void): NodeJS.Timeout {
  const timer = setTimeout(onEnd, Math.min(ms, longestTimerMs));
  timers.defer(() => clearTimeout(timer));
  return timer;
}

type Silence = { started: StartedChild; limits: Limits; onIdle: () => void };

function watchSilence(timers: DisposableStack, { started, limits, onIdle }: Silence): void {
  if (limits.idleMs === undefined) return;
  const timer = startTimer(timers, limits.idleMs, onIdle);
  const { stdout, stderr } = started.child;
  const restart = () => timer.refresh();
  for (const stream of [stdout, stderr]) {
    stream.on("data", restart);
    timers.defer(() => stream.off("data", restart));
  }
}

function watchAbort(timers: DisposableStack, signal: AbortSignal | undefined, onAbort: () => void) {
  signal?.addEventListener("abort", onAbort, { once: true });
  timers.defer(() => signal?.removeEventListener("abort", onAbort));
  if (signal?.aborted) onAbort();
}
