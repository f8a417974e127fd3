import type { LiveStatus } from "../../dialects/dialect.ts";
import { RalphError, visible } from "../../error.ts";
import { createCommit, publishCommit } from "../../git/commits/commit.ts";
import { readBranch } from "../../git/commits/move-branch.ts";
import {
  type DirtyPaths,
  dirtyPaths,
  readStartPoint,
  type StartPoint,
} from "../../git/commits/start-point.ts";
import { switchToBranch } from "../../git/commits/switch-branch.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { isAncestor, readBlob } from "../../git/trees/objects.ts";
import { restorePaths } from "../../git/worktree/restore.ts";
import { syncUserIndex } from "../../git/worktree/sync-user-index.ts";
import { runsInCi } from "../../platform/runs-in-ci.ts";
import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { requestName } from "../../schema/tasks/foreign/change-request.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { parseTaskFile } from "../../sources/task-file.ts";
import { liveChanges } from "../loop/see-changes.ts";

type Plan = { config: Config; prd: Prd; taskPath: string; unfinished: string | undefined };

/** Prepares the work tree (design 4): clean, off the base branch, with ralph's own new files committed. Answers the start commit. */
export async function prepareBranch(
  system: System,
  repo: Repository,
  { config, prd, taskPath, unfinished }: Plan,
): Promise<StartPoint> {
  const [found, start] = await Promise.all([dirtyPaths(repo), readStartPoint(repo)]);
  const dirty = await withoutLive(repo, config, found);
  refuseDirt(dirty, { isCi: runsInCi(system.env), unfinished });
  const at = await leaveBase(repo, start, { config, prd, taskPath });
  return dirty.ours.length > 0 ? commitOwn(system, repo, { at, paths: dirty.ours }) : at;
}

/** Text that an earlier session wrote into the work tree alone: the end of a task is committed, the rest is put back. */
async function withoutLive(
  repo: Repository,
  config: Config,
  { ours, others }: DirtyPaths,
): Promise<DirtyPaths> {
  const paths = others.flatMap(({ path, state }) => (state === "unstaged" ? [path] : []));
  const live = await liveChanges(repo, config, { paths, treeish: "HEAD" });
  const named = (status: LiveStatus) =>
    [...live.keys()].filter((path) => live.get(path) === status);
  await restorePaths(
    repo,
    named("running").map((path) => ({ path, kind: "modified" })),
  );
  return {
    ours: [...ours, ...named("ended")],
    others: others.filter(({ path }) => !live.has(path)),
  };
}

async function leaveBase(
  repo: Repository,
  start: StartPoint,
  { config, prd, taskPath }: Omit<Plan, "unfinished">,
): Promise<StartPoint> {
  if (start.branch !== config.git.base_branch) return start;
  const name = await nextName(repo, { name: branchName(config, prd), prd, taskPath, start });
  const { branch, commit } = await switchToBranch(repo, name, start);
  return commit === start.commit ? { ...start, branch } : readStartPoint(repo);
}

type Wanted = { name: string; prd: Prd; taskPath: string; start: StartPoint };

/** The name itself, or `ralph/words-2`, `-3`, … after branches whose tasks all passed here through other commits. */
async function nextName(repo: Repository, { name, ...wanted }: Wanted): Promise<string> {
  for (let index = 1; ; index++) {
    const candidate = index === 1 ? name : `${name}-${index}`;
    if (!(await isMergedElsewhere(repo, { ...wanted, name: candidate }))) return candidate;
  }
}

async function isMergedElsewhere(repo: Repository, { name, prd, taskPath, start }: Wanted) {
  const tip = await readBranch(repo, name);
  if (tip === undefined || (await isAncestor(repo, start.commit, tip))) return false;
  if (await isAncestor(repo, tip, start.commit)) return false;
  const list = await readBlob(repo, { treeish: tip, path: taskPath });
  if (!list) return false;
  const passed = parseTaskFile(list, taskPath).prd.tasks.filter(({ passes }) => passes);
  const here = new Set(prd.tasks.filter(({ passes }) => passes).map(({ id }) => id));
  return passed.length > 0 && passed.every(({ id }) => here.has(id));
}

/** Commits ralph's own new files before the session's first commit. */
async function commitOwn(
  { clock }: Pick<System, "clock">,
  repo: Repository,
  { at, paths }: { at: StartPoint; paths: readonly string[] },
): Promise<StartPoint> {
  const { branch, commit: parent, tree } = at;
  const date = new Date(clock.now()).toISOString();
  const made = await createCommit(repo, {
    ...{ parent, tree, paths, date },
    message: "chore: ralph\n",
  });
  // Before the branch moves: a kill in between leaves new files staged, and the next start commits them.
  await syncUserIndex(repo);
  await publishCommit(repo, { branch, parent, commit: made.commit });
  return { branch, ...made };
}

/** The task list's branch, else one named after the change request or the project. */
export function branchName({ autopilot }: Config, prd: Prd): string {
  const { branchName: name, project, metadata } = prd;
  if (name) return name;
  const { source, sourceFile } = metadata ?? {};
  const isRequest = source === "imported-cr" && sourceFile !== undefined;
  const slug = (isRequest ? requestName(sourceFile) : project)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replace(/^-|-$/g, "");
  return `${autopilot.branch_prefix}${slug || "tasks"}`;
}

/** Uncommitted work would be lost or mixed with the agents' work (design 4). */
function refuseDirt(
  { ours, others }: DirtyPaths,
  { isCi, unfinished }: { isCi: boolean; unfinished: string | undefined },
): void {
  const dirt = [...others, ...(isCi ? ours.map((path) => ({ path, state: "untracked" })) : [])];
  if (dirt.length === 0) return;
  const shown = dirt.slice(0, 20).map(({ path, state }) => `  ${visible(path)} (${state})`);
  const more = dirt.length > shown.length ? [`  and ${dirt.length - shown.length} more`] : [];
  throw new RalphError("git", {
    message: ["The work tree is not clean:", ...shown, ...more].join("\n"),
    remedy: dirt.every(({ state }) => state === "filtered")
      ? "Run `git status`: it refreshes git's index. If it shows no change, run again; otherwise commit the changes."
      : otherRemedy(unfinished),
  });
}

const otherRemedy = (unfinished: string | undefined) =>
  unfinished
    ? `If this is work of the interrupted session ${unfinished}, run \`ralph run --resume\`. Otherwise commit it, or stash it with \`git stash -u\`.`
    : "Commit it, or stash it with `git stash -u`, then run again.";
