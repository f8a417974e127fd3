import type { Repository } from "../../git/repository/repository.ts";
import { type CommitFacts, readCommit } from "../../git/trees/objects.ts";
import { treeWith } from "../../git/trees/tree-with.ts";
import type { AuditedPass, AuditedRepair } from "../../journal/audit.ts";

/** The facts a commit must match: its session, and the bookkeeping files ralph adds to the proved tree. */
export type CommitFrame = { sessionId: string; bookkeeping: readonly string[] };

/**
 * Problems of the commit of a pass (design 4.6). Its parent and tree must be the journaled ones, its tree may differ
 * from the proved one in bookkeeping only, and its trailers must name its task, session and journal line.
 */
export async function auditCommit(
  repo: Repository,
  { pass, committed }: AuditedPass,
  frame: CommitFrame,
): Promise<string[]> {
  if (!committed) return [];
  const name = `commit ${committed.commit.slice(0, 12)}`;
  const commit = await readCommit(repo, committed.commit);
  if (!commit) return [`${name} is not in this repository`];
  const isProved = await isProvedTree(repo, commit, { pass, paths: frame.bookkeeping });
  const wrong = [
    ...(commit.parents.join() === pass.parent ? [] : ["has another parent than the journal says"]),
    ...(commit.tree === committed.tree ? [] : ["has another tree than the journal says"]),
    ...wrongTrailers(commit, {
      "Ralph-Task": pass.task,
      ...sharedTrailers(pass, frame.sessionId),
    }),
    ...(isProved ? [] : ["holds more than the proved tree and bookkeeping"]),
  ];
  return wrong.map((what) => `${name} ${what}`);
}

/** Problems of the commit of a repair, which holds exactly the tree that was checked. */
export async function auditFixCommit(
  repo: Repository,
  { end, committed }: AuditedRepair,
  sessionId: string,
): Promise<string[]> {
  if (!committed) return [];
  const name = `commit ${committed.commit.slice(0, 12)}`;
  const commit = await readCommit(repo, committed.commit);
  if (!commit) return [`${name} is not in this repository`];
  const isOwn = commit.tree === end.tree && committed.tree === end.tree;
  const wrong = [
    ...(commit.parents.join() === end.parent ? [] : ["has another parent than the journal says"]),
    ...(isOwn ? [] : ["has another tree than the one that was checked"]),
    ...wrongTrailers(commit, {
      "Ralph-Fix": `${end.phase} ${end.iteration}`,
      ...sharedTrailers(end, sessionId),
    }),
  ];
  return wrong.map((what) => `${name} ${what}`);
}

/** `Ralph-Journal` names the line before the pass or the end of the repair: the journal's head when it was decided. */
const sharedTrailers = ({ seq, prev }: { seq: number; prev: string }, sessionId: string) => ({
  "Ralph-Session": sessionId,
  "Ralph-Journal": `${seq - 1}:${prev}`,
});

function wrongTrailers(
  { trailers }: CommitFacts,
  expected: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(expected).flatMap(([key, value]) => {
    const found = trailers.filter((trailer) => trailer.key === key).map((trailer) => trailer.value);
    return found.join() === value ? [] : [`says ${key} ${found.join() || "nothing"}, not ${value}`];
  });
}

/**
 * Restores the parent's bookkeeping in the commit's tree, which must give the proved tree. This needs only the
 * commit's own objects: the proved tree is in no commit and is not kept.
 */
async function isProvedTree(
  repo: Repository,
  { tree }: CommitFacts,
  { pass, paths }: { pass: AuditedPass["pass"]; paths: readonly string[] },
): Promise<boolean> {
  return (await treeWith(repo, { tree, paths, from: pass.parent })) === pass.tree;
}
