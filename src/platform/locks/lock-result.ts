import type { LockOwner } from "../process/lock-owner.ts";

/** `mechanism` is to be told to the user when it is not flock: a crash can then leave a lock behind. */
export type LockResult = AcquiredLock | { kind: "held"; owner: LockOwner | undefined };

export interface AcquiredLock extends AsyncDisposable {
  readonly kind: "acquired";
  readonly mechanism: "flock" | "exclusive-file";
}
