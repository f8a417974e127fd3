import { basename, dirname, join } from "node:path/posix";
import { visibleFolder } from "../../platform/fs/visible-folder.ts";
import type { Files } from "../../platform/system.ts";
import type { Repository } from "../repository/repository.ts";
import { askProgram, gitFailed, runGit } from "../repository/run-git.ts";
import { advanceTo, resetTo } from "../worktree/reset.ts";
import { syncUserIndex } from "../worktree/sync-user-index.ts";
import { fillFromStore } from "./clone-aside.ts";

/** The commit and tree of a work tree. */
export type Stand = { commit: string; tree: string };

/** Parts of a side work tree: its files, the git directory that programs see, and ralph's private one. */
const parts = { files: "tree", shown: "shown", own: "git" };

/**
 * Makes a second work tree of the repository in its own folder: a linked one with a detached HEAD that the repository
 * does not list, so that nothing has to be cleaned up there. It shares objects, but not branches or the user's index.
 */
export async function createSideWorktree(
  repo: Repository,
  { folder, at }: { folder: string; at: Stand },
): Promise<Repository> {
  const side = sideRepository(repo, folder);
  for (const each of new Set([folder, visibleFolder(folder)])) {
    const parent = repo.system.files(dirname(each));
    await parent.remove(basename(each));
    await parent.makeFolder(basename(each));
  }
  const values = [folder, repo.commonDir, repo.privateDir, side.worktree];
  const answer = await askProgram(repo, ["sh", "-ec", createScript, "sh", ...values]);
  if (answer.exitCode !== 0) throw gitFailed(["worktree"], answer);
  await writeHeads(side, at);
  await runGit(side, ["read-tree", "-m", "-u", at.tree]);
  if (side.usesFilters) await fillFromStore(side, repo);
  await syncUserIndex(side);
  return side;
}

const createScript = `folder=$1 common=$2 from=$3 tree=$4 own=$1/${parts.own} shown=$1/${parts.shown}
mkdir -p "$own/info" "$own/logs" "$shown" "$tree"
cp -- "$from/config" "$own/config"
cp -R -- "$from/info/." "$own/info/"
ln -s "$common/objects" "$common/refs" "$common/packed-refs" "$common/shallow" "$own/"
ln -s "$common/logs/refs" "$own/logs/"
printf '%s\\n' "$common" >"$shown/commondir"
printf '%s\\n' "$tree/.git" >"$shown/gitdir"
printf 'gitdir: %s\\n' "$shown" >"$tree/.git"`;

function sideRepository(repo: Repository, folder: string): Repository {
  const { sessionDir: _, ...shared } = repo;
  const privateDir = join(folder, parts.own);
  const worktree = join(visibleFolder(folder), parts.files);
  return {
    ...shared,
    privateDir,
    worktree,
    root: join(worktree, repo.prefix).replace(/\/$/, ""),
    gitDir: join(folder, parts.shown),
    env: { ...repo.env, GIT_DIR: privateDir, GIT_WORK_TREE: worktree },
  };
}

/** Opens a side work tree that a process left behind, in any state; undefined when it was never complete. */
export async function reopenSideWorktree(
  repo: Repository,
  folder: string,
): Promise<Repository | undefined> {
  const side = sideRepository(repo, folder);
  const files = repo.system.files(side.privateDir);
  if (!(await files.stat("index"))) return undefined;
  // Only a killed process can have left it.
  await files.remove("index.lock");
  return side;
}

/** Makes a broken index again from a commit, for example after a power failure. Changes no files. */
export async function remakeSideIndex(side: Repository, commit: string): Promise<void> {
  await runGit(side, ["read-tree", commit]);
}

/** Marks a side work tree as removed, so that it is not opened again. */
export async function forgetSideWorktree(parent: Files, name: string): Promise<void> {
  await parent.remove(`${name}/${parts.own}/index`);
}

/** Resets files and index to the commit; ignored files, such as installed packages, stay. */
export async function moveSideWorktree(side: Repository, at: Stand): Promise<void> {
  await writeHeads(side, at);
  await resetTo(side, at.tree);
  await syncUserIndex(side);
}

/** Hides paths of the project from status: ralph's links, which the repository's ignore rules may not cover. */
export async function hideFromSide(side: Repository, paths: readonly string[]): Promise<void> {
  const info = side.system.files(join(side.privateDir, "info"));
  const rules = (await info.read("exclude"))?.toString() ?? "";
  const lines = paths.map((path) => `/${side.prefix}${path}`.replaceAll(/[\\*?[]/g, "\\$&"));
  await info.write("exclude", [rules.replace(/\n?$/, ""), ...lines, ""].join("\n"));
}

/** The same when the files are known to be exactly the tree `from`, as after each check. */
export async function advanceSideWorktree(
  side: Repository,
  { from, at }: { from: string; at: Stand },
): Promise<void> {
  await writeHeads(side, at);
  await advanceTo(side, { from, to: at.tree });
  await syncUserIndex(side);
}

async function writeHeads(side: Repository, { commit }: Stand): Promise<void> {
  await side.system.files(side.privateDir).write("HEAD", `${commit}\n`);
  await putHeadBack(side);
}

/** Resets the HEAD that programs see, and the link to it: an agent's commits become part of its task. */
export async function putHeadBack(side: Repository): Promise<void> {
  const { system, privateDir, gitDir, worktree } = side;
  const head = await system.files(privateDir).read("HEAD");
  await restore({ folder: gitDir, name: "HEAD", text: head?.toString() ?? "" }, side);
  await restore({ folder: worktree, name: ".git", text: `gitdir: ${gitDir}\n` }, side);
}

const maxBytes = 4096;

async function restore(
  { folder, name, text }: { folder: string; name: string; text: string },
  { system }: Repository,
): Promise<void> {
  const files = system.files(folder);
  const stat = await files.stat(name);
  if (stat?.kind === "file" && stat.bytes <= maxBytes) {
    if ((await files.read(name))?.toString() === text) return;
  } else {
    await files.remove(name);
  }
  await files.write(name, text);
}
