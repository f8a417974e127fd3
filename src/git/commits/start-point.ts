import type { BranchPosition, Repository } from "../repository/repository.ts";
import { readGitLine } from "../repository/run-git.ts";
import { toProjectPath } from "../trees/tree-path.ts";
import { filteredPaths } from "../worktree/filtered-paths.ts";
import { readStatus, type StatusRecord } from "../worktree/status.ts";

/** The start of a session: the branch, its commit and that commit's tree. */
export type StartPoint = BranchPosition & { tree: string };

export async function readStartPoint(repo: Repository): Promise<StartPoint> {
  const args = ["rev-parse", "HEAD^{commit}", "HEAD^{tree}", "--symbolic-full-name", "HEAD"];
  const [commit = "", tree = "", ref = ""] = (await readGitLine(repo, args)).split("\n");
  return { commit, tree, branch: ref.slice("refs/heads/".length) };
}

/** `filtered`: appears changed, but has a filter such as git-lfs, so only the user's git can tell. */
export type DirtyPath = { path: string; state: "staged" | "unstaged" | "untracked" | "filtered" };

/** The paths that prevent a clean start. `ours` (new files below `.ralph/`, a new AGENTS.md) may be committed first. */
export type DirtyPaths = { ours: string[]; others: DirtyPath[] };

export async function dirtyPaths(repo: Repository): Promise<DirtyPaths> {
  const { records } = await readStatus(repo);
  const dirty = records.map((record) => ({
    path: toProjectPath(repo.prefix, record.path),
    state: nameState(record),
    isNew: record.unstaged === "?" || record.staged === "A",
  }));
  const others = dirty.filter((entry) => !isOurs(entry));
  const unstaged = others.filter(({ state }) => state === "unstaged").map(({ path }) => path);
  const filtered = await filteredPaths(repo, unstaged);
  return {
    ours: dirty.filter(isOurs).map(({ path }) => path),
    others: others.map(({ path, state }) => ({
      path,
      state: filtered.has(path) ? "filtered" : state,
    })),
  };
}

function nameState({ staged, unstaged }: StatusRecord): DirtyPath["state"] {
  if (unstaged === "?") return "untracked";
  return staged === "." ? "unstaged" : "staged";
}

function isOurs({ path, isNew }: { path: string; isNew: boolean }): boolean {
  const isFile = !path.endsWith("/");
  return isNew && isFile && (path.startsWith(".ralph/") || path === "AGENTS.md");
}
