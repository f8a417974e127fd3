import { agentFiles } from "../../agents/drivers/drivers.ts";
import { judgeChanges } from "../../core/checks/judge-changes.ts";
import type { Role } from "../../core/state/event.ts";
import type { Change } from "../../git/repository/repository.ts";
import { toProjectPath } from "../../git/trees/tree-path.ts";
import type { WorkTreeChanges } from "../../git/worktree/changes.ts";
import { restorePaths } from "../../git/worktree/restore.ts";
import { stageChanges } from "../../git/worktree/stage.ts";
import { bookkeepingPaths } from "./bookkeeping.ts";
import { seeChanges } from "./see-changes.ts";
import { record, type SessionContext } from "./session-context.ts";

/** The work tree after somebody else's turn, with everything they may not change put back. */
export interface CollectedChanges {
  tree: string;
  /** Put back because nobody may change it, or because the role changes nothing. */
  refused: string[];
  /** Put back because the test writer may only write tests. */
  trespassed: string[];
  /** What git ignores: nothing of it is put back, but some of it may be reported. */
  ignored: string[];
}

/**
 * Takes in what an agent did (design 4.2, 5): branch and HEAD are put back, so its own commits fold into the
 * task; protected and trespassing changes are undone from our snapshot; the rest becomes the new tree.
 */
export async function collectChanges(
  session: SessionContext,
  { role, tree }: { role: Role; tree: string },
): Promise<CollectedChanges> {
  const first = await settleOnce(session, { role, tree });
  const isIgnoreFile = (path: string) => /(?:^|\/)\.gitignore$/.test(path);
  if (![...first.refused, ...first.trespassed].some(isIgnoreFile)) return first;
  // What a changed ignore file hid shows up once that file is put back.
  const second = await settleOnce(session, { role, tree: first.tree });
  return {
    tree: second.tree,
    refused: [...first.refused, ...second.refused],
    trespassed: [...first.trespassed, ...second.trespassed],
    ignored: second.ignored,
  };
}

async function settleOnce(
  session: SessionContext,
  { role, tree }: { role: Role; tree: string },
): Promise<CollectedChanges> {
  const { repo, config } = session;
  const seen = await lookAround(session);
  const { allow } = config.protect;
  const protection = { allow, own: ownPaths(session), agentFiles: agentFiles() };
  const testPaths = config.test_paths;
  const judged = judgeChanges(seen.changes, { role, protection, testPaths });
  const undone = new Set([...judged.refused, ...judged.trespassed]);
  // A file that cannot be committed must not make a gate green either.
  const untouchable = [...seen.nested, ...seen.filtered, ...seen.tooLarge];
  const isUndone = ({ path }: Change) => undone.has(path);
  await restorePaths(repo, [...untouchable, ...seen.changes.filter(isUndone)]);
  const changes = seen.changes.filter((change) => !isUndone(change));
  return {
    tree: await stageChanges(repo, { tree, changes }),
    refused: [...untouchable.map(({ path }) => path), ...judged.refused],
    trespassed: judged.trespassed,
    ignored: seen.ignored,
  };
}

/** What we write ourselves: files of each commit, and the folder the session is shown in. */
function ownPaths({ repo, config, journal }: SessionContext): string[] {
  const { prefix, sessionDir } = repo;
  const paths = bookkeepingPaths(config, journal.state);
  return sessionDir === undefined ? paths : [...paths, toProjectPath(prefix, sessionDir)];
}

/** Looks at the work tree, puts branch and HEAD back, and names what is too large to be kept (design 9.4). */
async function lookAround(session: SessionContext): Promise<WorkTreeChanges> {
  const { journal } = session;
  const seen = await seeChanges(session);
  const large = seen.tooLarge.map(({ path }) => path).join(", ");
  const message = `Removed, because new files over 5 MiB are never committed: ${large}`;
  const isNews = large !== "" && !journal.state.warnings.includes(message);
  if (isNews) await record(session, { type: "warning", message });
  return seen;
}

/**
 * Undoes whatever a gate, a criterion or a setup command did to files git would see (design 4.3): what counts
 * is the tree that was snapshotted before. Answers the left-over files it removed.
 */
export async function undoChanges(session: SessionContext): Promise<string[]> {
  const { changes, nested, filtered, tooLarge } = await lookAround(session);
  await restorePaths(session.repo, [...changes, ...nested, ...filtered, ...tooLarge]);
  return changes.filter(({ kind }) => kind === "added").map(({ path }) => path);
}
