import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hasCode } from "./file-error.ts";
import { describeOwner, isOwnerAlive, type LockClaim, parseOwner } from "./lock-owner.ts";
import type { AcquiredLock, LockResult } from "./lock-result.ts";

/**
 * The stand-in where flock is missing: whoever makes the file holds the lock. A dead owner's file is taken
 * away; an unreadable one is not, since nobody can tell whose it is.
 */
export async function acquireExclusively(path: string, claim: LockClaim): Promise<LockResult> {
  const own = `${JSON.stringify(describeOwner(claim))}\n`;
  if (await createWhole(path, own)) return holdExclusively(path);
  const seen = await readFile(path, "utf8");
  const owner = parseOwner(seen);
  if (owner === undefined || isOwnerAlive(owner)) return { kind: "held", owner };
  await takeAway(path, seen);
  if (await createWhole(path, own)) return holdExclusively(path);
  return { kind: "held", owner: undefined };
}

/** A link appears with its whole content or not at all, and never replaces another. */
async function createWhole(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content, { flag: "wx", mode: 0o600 });
  const created = await succeeds(link(draft, path), "EEXIST");
  await rm(draft, { force: true });
  return created;
}

/** Between our look and the rename a second session may have taken over: then its file is put back. */
async function takeAway(path: string, seen: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  if (!(await succeeds(rename(path, aside), "ENOENT"))) return;
  if ((await readFile(aside, "utf8")) !== seen) await succeeds(link(aside, path), "EEXIST");
  await rm(aside, { force: true });
}

async function succeeds(act: Promise<void>, expected: "EEXIST" | "ENOENT"): Promise<boolean> {
  try {
    await act;
    return true;
  } catch (error) {
    if (hasCode(error) && error.code === expected) return false;
    throw error;
  }
}

function holdExclusively(path: string): AcquiredLock {
  return {
    kind: "acquired",
    mechanism: "exclusive-file",
    [Symbol.asyncDispose]: () => rm(path, { force: true }),
  };
}
