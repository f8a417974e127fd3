import { join } from "node:path/posix";
import type { Repository } from "../repository/repository.ts";
import { askProgram, gitFailed, runGit } from "../repository/run-git.ts";
import { listPaths } from "../trees/list-paths.ts";
import { treeOf } from "../trees/objects.ts";
import { toTreePath } from "../trees/tree-path.ts";
import { filteredPaths } from "../worktree/filtered-paths.ts";
import { resetTo } from "../worktree/reset.ts";
import { fillFiltered } from "../worktree/restore-filtered.ts";
import { syncUserIndex } from "../worktree/sync-user-index.ts";
import { openRepository } from "./open-repository.ts";

type Opener = Parameters<typeof openRepository>[0];

export interface ClonePlan {
  /** An existing, empty folder; the clone becomes `clone` in it. */
  folder: string;
  /** The commit that is checked out, on a separate branch. */
  commit: string;
  /** This branch is not copied, so that it can be created again. */
  without: string;
}

/** The branch the commit is checked out on; a branch of that name in the repository is not copied. */
const ownBranch = "ralph-clone";
const maxRefBytes = 64 * 1024 * 1024;

/**
 * Clones the repository at a commit: with all objects and refs, but without changes, ignored files, hooks or settings of
 * the repository. Files of git-lfs come from the repository's store, if it has them; submodules are not fetched. Answers
 * the project root of the clone.
 */
export async function cloneAside(
  system: Opener,
  from: Repository,
  { folder, commit, without }: ClonePlan,
): Promise<string> {
  const clone = join(folder, "clone");
  await initialize(system, { from, folder, clone });
  await copyObjects(from, join(clone, ".git"));
  const git = system.files(join(clone, ".git"));
  const shallow = await system.files(from.commonDir).read("shallow");
  if (shallow) await git.write("shallow", shallow);
  await git.write("packed-refs", await copyRefs(from, `refs/heads/${without}`));
  await git.write(`refs/heads/${ownBranch}`, `${commit}\n`);
  const repo = await openRepository(system, { directory: clone, stateDir: folder });
  await resetTo(repo, await treeOf(repo, commit));
  await syncUserIndex(repo);
  await fillFromStore(await openRepository(system, { directory: clone, stateDir: folder }), from);
  return join(clone, from.prefix).replace(/\/$/, "");
}

/** Fills files of git-lfs in a fresh checkout from another repository's store. */
export async function fillFromStore(
  repo: Repository,
  { commonDir }: Pick<Repository, "commonDir">,
): Promise<void> {
  const filtered = await filteredPaths(repo, await listPaths(repo));
  if (filtered.size === 0) return;
  const filters = new Map(
    [...filtered].map(([path, name]) => [toTreePath(repo.prefix, path), name]),
  );
  await fillFiltered(repo, { filters, store: commonDir });
  await syncUserIndex(repo);
}

/** Runs `git init` without templates and settings, which could bring hooks. */
async function initialize(
  { ask, env }: Opener,
  { from, folder, clone }: { from: Repository; folder: string; clone: string },
): Promise<void> {
  const format = (await runGit(from, ["rev-parse", "--show-object-format"])).toString().trim();
  const { exitCode, stderr } = await ask({
    file: "git",
    args: [
      "init",
      "-q",
      "--template=",
      `--object-format=${format}`,
      `--initial-branch=${ownBranch}`,
      clone,
    ],
    cwd: folder,
    env: {
      PATH: env.PATH,
      LC_ALL: "C",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
    },
  });
  if (exitCode !== 0) throw gitFailed(["init"], { exitCode, stderr });
}

/** Copied, because the sandbox may hide their folder; as hard links where possible, since object files never change. */
async function copyObjects(from: Repository, gitDir: string): Promise<void> {
  const script = 'cp -Rl "$1/." "$2" 2>/dev/null || cp -R "$1/." "$2"';
  const folders = [join(from.commonDir, "objects"), join(gitDir, "objects")];
  const answer = await askProgram(from, ["sh", "-c", script, "sh", ...folders]);
  if (answer.exitCode !== 0) throw gitFailed(["clone"], answer);
}

/** The refs in the form of `packed-refs`, without a session's private ones. */
async function copyRefs(from: Repository, without: string): Promise<string> {
  const kinds = ["refs/heads", "refs/tags", "refs/remotes"];
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", ...kinds];
  const refs = (await runGit(from, args, { maxBytes: maxRefBytes })).toString().split("\n");
  const isWanted = (line: string) => line !== "" && !line.endsWith(` ${without}`);
  return refs
    .filter(isWanted)
    .map((line) => `${line}\n`)
    .join("");
}
