import { readBranch } from "../../git/commits/move-branch.ts";
import { readStartPoint } from "../../git/commits/start-point.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { runGit } from "../../git/repository/run-git.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { splitRecords, toProjectPath } from "../../git/trees/tree-path.ts";
import { resetTo } from "../../git/worktree/reset.ts";
import { readStatus } from "../../git/worktree/status.ts";
import type { AutopilotRun } from "./autopilot-run.ts";

/**
 * Undoes a run's way to its branch that a kill cut short: files of that branch lie in the tree, and HEAD is still on
 * the old one. Nothing is touched when anything else has changed, so no work of a person is lost.
 */
export async function undoMove(
  repo: Repository,
  { branch, base }: Pick<AutopilotRun, "branch" | "base">,
): Promise<void> {
  if (branch === undefined) return;
  const { branch: here, commit: from, tree } = await readStartPoint(repo);
  const to = (await readBranch(repo, branch)) ?? base;
  if (here === branch || from === to) return;
  const { records } = await readStatus(repo);
  if (records.length === 0) return;
  const answer = await runGit(repo, ["diff-tree", "-r", "-z", "--name-only", from, to]);
  const moved = new Set(splitRecords(answer));
  const between = { from, to };
  for (const { path } of records) {
    if (!moved.has(path) || !(await isOnTheWay(repo, path, between))) return;
  }
  await resetTo(repo, tree);
}

/** As one of the two branches has it, gone, or half-written. */
async function isOnTheWay(
  repo: Repository,
  path: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const files = repo.system.files(repo.worktree);
  const stat = await files.stat(path);
  if (!stat) return true;
  if (stat.kind !== "file") return false;
  const inProject = toProjectPath(repo.prefix, path);
  const [before, after] = await Promise.all(
    [from, to].map((treeish) => readBlob(repo, { treeish, path: inProject })),
  );
  const longest = Math.max(before?.length ?? 0, after?.length ?? 0);
  if (stat.bytes > longest) return false;
  const content = (await files.read(path)) ?? Buffer.alloc(0);
  return before?.equals(content) || after?.subarray(0, content.length).equals(content) || false;
}
