import { RalphError } from "../error.ts";
import { createCommit, publishCommit } from "../git/commit.ts";
import type { Repository } from "../git/repository.ts";
import { type DirtyPaths, dirtyPaths, readStart, type Start } from "../git/start.ts";
import { switchToBranch } from "../git/switch-branch.ts";
import { syncUserIndex } from "../git/sync-user-index.ts";
import type { Config } from "../model/config.ts";
import { nameOf } from "../model/foreign/change-request.ts";
import type { Prd } from "../model/prd.ts";
import type { System } from "../system/system.ts";

type Plan = { config: Config; prd: Prd; unfinished: string | undefined };

/**
 * Brings the work tree to where a session can start (design 4): clean, off the base branch, and with our own
 * new files committed. Answers the start commit.
 */
export async function prepareBranch(
  system: System,
  repo: Repository,
  { config, prd, unfinished }: Plan,
): Promise<Start> {
  const dirty = await dirtyPaths(repo);
  refuseDirt(dirty, { isCi: isCi(system), unfinished });
  const before = await readStart(repo);
  if (before.branch === config.git.base_branch) {
    await switchToBranch(repo, branchName(config, prd));
  }
  if (dirty.ours.length > 0) {
    const date = new Date(system.clock.now()).toISOString();
    const at = await readStart(repo);
    const { branch, commit: parent, tree } = at;
    const work = { branch, parent, tree, paths: dirty.ours, message: "chore: ralph\n", date };
    const { commit } = await createCommit(repo, work);
    // Before the branch moves: a kill in between leaves new files that are staged, which the next start takes.
    await syncUserIndex(repo);
    await publishCommit(repo, { branch, parent, commit });
  }
  return readStart(repo);
}

const isCi = ({ env }: System) => env.CI === "true" || env.GITHUB_ACTIONS === "true";

/** The list's own branch, else one made from the name of the change request or of the project. */
export function branchName({ autopilot }: Config, prd: Prd): string {
  const { branchName: name, project, metadata } = prd;
  if (name) return name;
  const { source, sourceFile } = metadata ?? {};
  const isRequest = source === "imported-cr" && sourceFile !== undefined;
  const slug = (isRequest ? nameOf(sourceFile) : project)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replace(/^-|-$/g, "");
  return `${autopilot.branch_prefix}${slug || "tasks"}`;
}

/** Work that is not committed would be lost or mixed up with the agents' (design 4). */
function refuseDirt(
  { ours, others }: DirtyPaths,
  { isCi, unfinished }: { isCi: boolean; unfinished: string | undefined },
): void {
  const dirt = [...others, ...(isCi ? ours.map((path) => ({ path, state: "untracked" })) : [])];
  if (dirt.length === 0) return;
  const shown = dirt.slice(0, 20).map(({ path, state }) => `  ${path} (${state})`);
  const more = dirt.length > shown.length ? [`  and ${dirt.length - shown.length} more`] : [];
  throw new RalphError("git", {
    message: ["The work tree is not clean:", ...shown, ...more].join("\n"),
    remedy: dirt.every(({ state }) => state === "filtered")
      ? "Run `git status`: where it sees no change it brings git's index up to date, so run again. Commit what it does see."
      : otherRemedy(unfinished),
  });
}

const otherRemedy = (unfinished: string | undefined) =>
  unfinished
    ? `If this is work of the interrupted session ${unfinished}, run \`ralph run --resume\`. Otherwise commit it, or put it aside with \`git stash -u\`.`
    : "Commit it, or put it aside with `git stash -u`, then run again.";
