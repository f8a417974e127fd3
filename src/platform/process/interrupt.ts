import { hostname } from "node:os";
import type { LockOwner } from "./lock-owner.ts";
import { isRunning, sendSignal } from "./process-table.ts";

/** `elsewhere`: the process is on another machine and cannot be reached. */
export type Interruption = "sent" | "gone" | "elsewhere";

/** Asks the holder of a lock to stop, as Ctrl-C does. Never signals a later process with the same id. */
export function interrupt({ host, pid, pid_start }: LockOwner): Interruption {
  if (host !== hostname()) return "elsewhere";
  if (!isRunning({ pid, startTime: pid_start ?? undefined })) return "gone";
  return sendSignal(pid, "SIGINT") ? "sent" : "gone";
}
