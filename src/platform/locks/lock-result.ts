import type { LockOwner } from "../process/lock-owner.ts";

/** Callers warn the user when `mechanism` is not flock: a crash can then leave a lock behind. */
export type LockResult = AcquiredLock | { kind: "held"; owner: LockOwner | undefined };

export interface AcquiredLock extends AsyncDisposable {
  readonly kind: "acquired";
  readonly mechanism: "flock" | "exclusive-file";
}
