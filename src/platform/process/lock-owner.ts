import { hostname } from "node:os";
import * as z from "zod";
import { isRunning, readStartTime, sendSignal } from "./process-table.ts";

/** The holder of a lock, for `status`, `cancel` and the message of a second session (F12). */
export const LockOwner = z.object({
  session_id: z.string(),
  started_at: z.string(),
  host: z.string(),
  pid: z.int().min(1),
  /** Clock ticks since the machine started; null without /proc. */
  pid_start: z.int().nullable(),
});
export type LockOwner = z.infer<typeof LockOwner>;

/** The session's part of the record; the process is added. */
export type LockClaim = Pick<LockOwner, "session_id" | "started_at">;

export function describeOwner(claim: LockClaim): LockOwner {
  const { pid } = process;
  return { ...claim, host: hostname(), pid, pid_start: readStartTime(pid) ?? null };
}

/** Undefined for anything but a complete record: it may be half-written or foreign. */
export function parseOwner(text: string): LockOwner | undefined {
  try {
    return LockOwner.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A process on another machine cannot be checked, so it counts as alive. */
export const isOwnerAlive = ({ host, pid, pid_start }: LockOwner): boolean =>
  host !== hostname() || isRunning({ pid, startTime: pid_start ?? undefined });

/** `elsewhere`: the process is on another machine and cannot be reached. */
type Interruption = "sent" | "gone" | "elsewhere";

/** Asks the holder of a lock to stop, as Ctrl-C does. Never signals a later process with the same id. */
export function interrupt({ host, pid, pid_start }: LockOwner): Interruption {
  if (host !== hostname()) return "elsewhere";
  if (!isRunning({ pid, startTime: pid_start ?? undefined })) return "gone";
  return sendSignal(pid, "SIGINT") ? "sent" : "gone";
}
