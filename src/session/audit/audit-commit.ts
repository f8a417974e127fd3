import type { Repository } from "../../git/repository/repository.ts";
import { type CommitFacts, readCommit } from "../../git/trees/objects.ts";
import { treeWith } from "../../git/trees/tree-with.ts";
import type { AuditedPass, AuditedRepair } from "../../journal/audit.ts";

/** The facts a commit must match: its session, and the bookkeeping files ralph adds to the proved tree. */
export type CommitFrame = { sessionId: string; bookkeeping: readonly string[] };

/** Problems of the commit of a pass (design 4.6). Restoring its parent's bookkeeping must give the proved tree. */
export function auditCommit(
  repo: Repository,
  { pass, committed }: AuditedPass,
  { sessionId, bookkeeping: paths }: CommitFrame,
): Promise<string[]> {
  const trailers = { "Ralph-Task": pass.task, "Ralph-Session": sessionId };
  return auditWork(repo, { decided: pass, committed, trailers }, async ({ tree }) => [
    ...(tree === committed?.tree ? [] : ["has another tree than the journal says"]),
    ...((await treeWith(repo, { tree, paths, from: pass.parent })) === pass.tree
      ? []
      : ["holds more than the proved tree and bookkeeping"]),
  ]);
}

/** Problems of the commit of a repair, which holds exactly the tree that was checked. */
export function auditFixCommit(
  repo: Repository,
  { end, committed }: AuditedRepair,
  sessionId: string,
): Promise<string[]> {
  const trailers = { "Ralph-Fix": `${end.phase} ${end.iteration}`, "Ralph-Session": sessionId };
  return auditWork(repo, { decided: end, committed, trailers }, async ({ tree }) =>
    tree === end.tree && committed?.tree === end.tree
      ? []
      : ["has another tree than the one that was checked"],
  );
}

type CommittedWork = {
  decided: { seq: number; prev: string; parent?: string | undefined };
  committed: { commit: string } | undefined;
  trailers: Readonly<Record<string, string>>;
};

/** `Ralph-Journal` names the line before the decision: the journal's head when it was made. */
async function auditWork(
  repo: Repository,
  { decided: { seq, prev, parent }, committed, trailers }: CommittedWork,
  treeProblems: (commit: CommitFacts) => Promise<string[]>,
): Promise<string[]> {
  if (!committed) return [];
  const name = `commit ${committed.commit.slice(0, 12)}`;
  const commit = await readCommit(repo, committed.commit);
  if (!commit) return [`${name} is not in this repository`];
  const wrong = [
    ...(commit.parents.join() === parent ? [] : ["has another parent than the journal says"]),
    ...(await treeProblems(commit)),
    ...wrongTrailers(commit, { ...trailers, "Ralph-Journal": `${seq - 1}:${prev}` }),
  ];
  return wrong.map((what) => `${name} ${what}`);
}

function wrongTrailers({ trailers }: CommitFacts, expected: Readonly<Record<string, string>>) {
  return Object.entries(expected).flatMap(([key, value]) => {
    const found = trailers.filter((trailer) => trailer.key === key).map((trailer) => trailer.value);
    return found.join() === value ? [] : [`says ${key} ${found.join() || "nothing"}, not ${value}`];
  });
}
