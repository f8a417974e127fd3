import { longestTimerMs } from "../clock.ts";
import type { SupervisedCommand, SupervisedEnd } from "../system.ts";
import type { StartedChild } from "./start-child.ts";

type Limits = Pick<SupervisedCommand, "timeoutMs" | "idleMs" | "signal">;

/** Waits for the first end of the call: the program, its time limit, its silence, or the user. */
export async function waitForEnd(started: StartedChild, limits: Limits): Promise<SupervisedEnd> {
  using timers = new DisposableStack();
  const limited = new Promise<SupervisedEnd>((resolve) => {
    startTimer(timers, limits.timeoutMs, () => resolve({ kind: "timed-out" }));
    watchSilence(timers, { started, limits, onIdle: () => resolve({ kind: "idle" }) });
    watchAbort(timers, limits.signal, () => resolve({ kind: "cancelled" }));
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

function watchAbort(
  timers: DisposableStack,
  signal: AbortSignal | undefined,
  onAbort: () => void,
): void {
  signal?.addEventListener("abort", onAbort, { once: true });
  timers.defer(() => signal?.removeEventListener("abort", onAbort));
  if (signal?.aborted) onAbort();
}
