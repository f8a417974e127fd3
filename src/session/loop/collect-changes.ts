import { agentFiles } from "../../agents/drivers/drivers.ts";
import { judgeChanges } from "../../core/checks/judge-changes.ts";
import { sameNames } from "../../core/checks/path-pattern.ts";
import type { Protection } from "../../core/checks/protection.ts";
import type { Role } from "../../core/state/roles.ts";
import { judgesOf } from "../../core/verify/verify-plan.ts";
import type { Change } from "../../git/repository/repository.ts";
import { listTree } from "../../git/trees/list-paths.ts";
import { toProjectPath } from "../../git/trees/tree-path.ts";
import type { WorkTreeChanges } from "../../git/worktree/changes.ts";
import { stageChanges } from "../../git/worktree/stage.ts";
import { bookkeepingPaths } from "./bookkeeping.ts";
import { keepEdits, putBack } from "./keep-edits.ts";
import { seeChanges } from "./see-changes.ts";
import { record, type SessionContext } from "./session-context.ts";

/** The work tree after an agent's call, with every forbidden change put back. */
export interface CollectedChanges {
  tree: string;
  /** Put back because the path is protected or names another file twice, or because the role is read-only. */
  refused: string[];
  /** Put back because the test writer may write only tests. */
  trespassed: string[];
  /** Changed files that git ignores: they stay, but some are reported. */
  ignored: string[];
}

/**
 * Collects an agent's changes (design 4.2, 5). Branch and HEAD are put back, so its own commits become part of the
 * task; protected and trespassing changes are restored from the snapshot; the rest becomes the new tree.
 */
export async function collectChanges(
  session: SessionContext,
  { role, tree }: { role: Role; tree: string },
): Promise<CollectedChanges> {
  const first = await collectOnce(session, { role, tree });
  const isIgnoreFile = (path: string) => /(?:^|\/)\.gitignore$/.test(path);
  if (![...first.refused, ...first.trespassed].some(isIgnoreFile)) return first;
  // Files hidden by a changed ignore file appear once that file is restored.
  const second = await collectOnce(session, { role, tree: first.tree });
  return {
    tree: second.tree,
    refused: [...first.refused, ...second.refused],
    trespassed: [...first.trespassed, ...second.trespassed],
    ignored: second.ignored,
  };
}

async function collectOnce(
  session: SessionContext,
  { role, tree }: { role: Role; tree: string },
): Promise<CollectedChanges> {
  const { repo, config } = session;
  const seen = await inspectWorktree(session);
  const protection = protectionOf(session);
  const testPaths = role === "fix" ? judgesOf(config) : config.test_paths;
  const judged = judgeChanges(seen.changes, { role, protection, testPaths });
  const twins = await newTwins(session, { tree, changes: seen.changes });
  const undone = new Set([...judged.refused, ...judged.trespassed, ...twins]);
  // A file that cannot be committed must not make a gate green either.
  const untouchable = [...seen.nested, ...seen.filtered, ...seen.tooLarge];
  const isUndone = ({ path }: Change) => undone.has(path);
  await putBack(session, [...untouchable, ...seen.changes.filter(isUndone)]);
  const changes = seen.changes.filter((change) => !isUndone(change));
  return {
    tree: await stageChanges(repo, { tree, changes }),
    refused: [...untouchable.map(({ path }) => path), ...new Set([...judged.refused, ...twins])],
    trespassed: judged.trespassed,
    ignored: seen.ignored,
  };
}

/** New files the firewall would refuse in the end, when no agent can rename them any more. */
async function newTwins(
  { repo }: SessionContext,
  { tree, changes }: { tree: string; changes: readonly Change[] },
): Promise<string[]> {
  const pathsOf = (kind: Change["kind"]) =>
    changes.filter((change) => change.kind === kind).map(({ path }) => path);
  const added = pathsOf("added");
  if (added.length === 0) return [];
  const gone = new Set(pathsOf("deleted"));
  const kept = (await listTree(repo, tree)).filter((path) => !gone.has(path));
  return sameNames(added, kept);
}

/** Which changes of any agent are put back. */
export const protectionOf = (session: SessionContext): Protection => ({
  allow: session.config.protect.allow,
  own: ownPaths(session),
  agentFiles: agentFiles(),
});

/** The paths ralph writes: bookkeeping files and the folder in which the session is shown. */
function ownPaths({ repo, config, journal }: SessionContext): string[] {
  const { prefix, sessionDir } = repo;
  const paths = bookkeepingPaths(config, journal.state);
  return sessionDir === undefined ? paths : [...paths, toProjectPath(prefix, sessionDir)];
}

/** Reads the changes of the work tree, puts branch and HEAD back, and warns about files that are too large (design 9.4). */
async function inspectWorktree(session: SessionContext): Promise<WorkTreeChanges> {
  const { journal } = session;
  const seen = await seeChanges(session);
  await keepEdits(session, seen.changes);
  const large = seen.tooLarge.map(({ path }) => path).join(", ");
  const message = `Removed new files over 5 MiB, which are never committed: ${large}`;
  const isNews = large !== "" && !journal.state.warnings.includes(message);
  if (isNews) await record(session, { type: "warning", message });
  return seen;
}

/** The changes of a command to files that git does not ignore, undone by now. */
export interface UndoneChanges {
  /** Files it left behind, which were removed. */
  leftovers: string[];
  /** Files of the tree that it changed or removed. */
  edited: Change[];
  /** Paths that git ignores; they stay. */
  ignored: string[];
}

/** Undoes changes a command of the project made to files git knows (design 4.3). `keep` sees the edits before. */
export async function undoChanges(
  session: SessionContext,
  keep: (edited: readonly Change[]) => Promise<void> = async () => {},
): Promise<UndoneChanges> {
  const { changes, nested, filtered, tooLarge, ignored } = await inspectWorktree(session);
  const edited = changes.filter(({ kind }) => kind !== "added");
  await keep(edited);
  await putBack(session, [...changes, ...nested, ...filtered, ...tooLarge]);
  const leftovers = changes.filter(({ kind }) => kind === "added").map(({ path }) => path);
  return { leftovers, edited, ignored };
}
