import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { unless } from "../file-error.ts";
import {
  describeOwner,
  isOwnerAlive,
  type LockClaim,
  type LockOwner,
  parseOwner,
} from "../process/lock-owner.ts";

/** Callers warn the user when `mechanism` is not flock: a crash can then leave a lock behind. */
export type LockResult = AcquiredLock | { kind: "held"; owner: LockOwner | undefined };

export interface AcquiredLock extends AsyncDisposable {
  readonly kind: "acquired";
  readonly mechanism: "flock" | "exclusive-file";
}

/** The fallback without flock: who creates the file holds the lock. Only a dead owner's file is replaced. */
export async function acquireExclusively(path: string, claim: LockClaim): Promise<LockResult> {
  if (await createWhole(path, claim)) return holdExclusively(path);
  const owner = await readOwner(path);
  if (owner === undefined || isOwnerAlive(owner)) return { kind: "held", owner };
  return replaceDead(path, claim);
}

/** Only one process at a time may replace a lock, or the second would replace the first; a dead replacer is replaced in turn. */
async function replaceDead(path: string, claim: LockClaim): Promise<LockResult> {
  const turn = await acquireExclusively(`${path}.turn`, claim);
  if (turn.kind === "held") return { kind: "held", owner: undefined };
  await using _ = turn;
  const owner = await readOwner(path);
  if (owner === undefined || isOwnerAlive(owner)) return { kind: "held", owner };
  await rename(await writeDraft(path, claim), path);
  return holdExclusively(path);
}

/** Creating a link is atomic: it appears with its whole content or not at all, and never replaces another. */
async function createWhole(path: string, claim: LockClaim): Promise<boolean> {
  const draft = await writeDraft(path, claim);
  const created = await unless(
    "EEXIST",
    link(draft, path).then(() => true),
  );
  await rm(draft, { force: true });
  return created === true;
}

async function writeDraft(path: string, claim: LockClaim): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  const content = `${JSON.stringify(describeOwner(claim))}\n`;
  await writeFile(draft, content, { flag: "wx", mode: 0o600 });
  return draft;
}

/** Undefined also when the lock was released in between. */
async function readOwner(path: string): Promise<LockOwner | undefined> {
  const text = await unless("ENOENT", readFile(path, "utf8"));
  return text === undefined ? undefined : parseOwner(text);
}

const holdExclusively = (path: string): AcquiredLock => ({
  kind: "acquired",
  mechanism: "exclusive-file",
  [Symbol.asyncDispose]: () => rm(path, { force: true }),
});
