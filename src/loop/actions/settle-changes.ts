import { changesSince } from "../../git/changes.ts";
import { putBack } from "../../git/put-back.ts";
import type { Change } from "../../git/repository.ts";
import { restorePaths } from "../../git/restore.ts";
import { stageChanges } from "../../git/stage.ts";
import type { Role } from "../../run/event.ts";
import { protectedChanges } from "../../run/protection.ts";
import { trespasses } from "../../run/test-paths.ts";
import { bookkeepingPaths } from "../bookkeeping.ts";
import { positionOf, type Session } from "../session.ts";

/** The work tree after somebody else's turn, with everything they may not change put back. */
export interface Settled {
  tree: string;
  /** Put back because nobody may change it, or because the role changes nothing. */
  refused: string[];
  /** Put back because the test writer may only write tests. */
  trespassed: string[];
}

/**
 * Takes in what an agent did (design 4.2, 5): branch and HEAD are put back, so its own commits fold into the
 * task; protected and trespassing changes are undone from our snapshot; the rest becomes the new tree.
 */
export async function settleChanges(
  session: Session,
  { role, tree }: { role: Role; tree: string },
): Promise<Settled> {
  const { repo, config, journal } = session;
  const seen = await changesSince(repo, positionOf(journal));
  if (seen.headMoved) await putBack(repo, positionOf(journal));
  const protection = { allow: config.protect.allow, own: bookkeepingPaths(config, journal.run) };
  const isProtected = asSet(protectedChanges(seen.changes, protection));
  const free = seen.changes.filter(({ path }) => !isProtected.has(path));
  const notForRole = asSet(forbiddenTo(role, free, config.test_paths));
  const isUndone = ({ path }: Change) => isProtected.has(path) || notForRole.has(path);
  const untouchable = [...seen.nested, ...seen.filtered];
  await restorePaths(repo, [...untouchable, ...seen.changes.filter(isUndone)]);
  const changes = free.filter((change) => !isUndone(change));
  const refused = [...untouchable.map(({ path }) => path), ...isProtected];
  const isTestWriter = role === "test_writing";
  return {
    tree: await stageChanges(repo, { tree, changes }),
    refused: isTestWriter ? refused : [...refused, ...notForRole],
    trespassed: isTestWriter ? [...notForRole] : [],
  };
}

const asSet = (paths: readonly string[]) => new Set(paths);

/** The test writer may change tests only, reviewers and planners nothing. */
function forbiddenTo(
  role: Role,
  changes: readonly Change[],
  testPaths: readonly string[],
): string[] {
  if (role === "test_writing") return trespasses(changes, testPaths);
  const isReader = role === "review" || role === "planning";
  return isReader ? changes.map(({ path }) => path) : [];
}

/**
 * Undoes whatever a gate, a criterion or a setup command did to files git would see (design 4.3): what counts
 * is the tree that was snapshotted before. Answers the left-over files it removed.
 */
export async function undoChanges({ repo, journal }: Session): Promise<string[]> {
  const { changes, nested, filtered } = await changesSince(repo, positionOf(journal));
  await restorePaths(repo, [...changes, ...nested, ...filtered]);
  return changes.filter(({ kind }) => kind === "added").map(({ path }) => path);
}
