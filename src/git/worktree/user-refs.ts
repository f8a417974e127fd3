import type { FileStat, Files } from "../../platform/system.ts";
import type { Repository } from "../repository/repository.ts";
import { askGit, runGit } from "../repository/run-git.ts";
import { readUserBranch } from "../repository/user-head.ts";

/** A branch or tag that something changed; values are object ids, or `ref: NAME` for a symbolic one. */
export interface RefChange {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Whether it is as before again. */
  readonly isRestored: boolean;
}

/** Branches and tags by name, without the session's own branch. */
export async function readUserRefs(
  repo: Repository,
  branch: string,
): Promise<ReadonlyMap<string, string>> {
  const format = "--format=%(objectname) %(refname) %(symref)";
  const text = await runGit(repo, ["for-each-ref", format, "refs/heads", "refs/tags"]);
  const lines = text.toString().split("\n").filter(Boolean);
  const refs = lines.map((line): [string, string] => {
    const [id = "", name = "", target = ""] = line.split(" ");
    return [name, target === "" ? id : `ref: ${target}`];
  });
  return new Map(refs.filter(([name]) => name !== `refs/heads/${branch}`));
}

/** The branches that a person works on in another work tree of the repository. */
export async function readOccupiedRefs(repo: Repository): Promise<ReadonlySet<string>> {
  const files = repo.system.files(repo.commonDir);
  const isFolder = (await files.stat("worktrees"))?.kind === "folder";
  const linked = isFolder ? await files.list("worktrees") : [];
  const folders = [repo.commonDir, ...linked.map((name) => `${repo.commonDir}/worktrees/${name}`)];
  const others = folders.filter((folder) => folder !== repo.gitDir);
  const branches = await Promise.all(
    others.map((folder) => readUserBranch(repo.system.files(folder))),
  );
  return new Set(
    branches.flatMap((branch) => (branch === undefined ? [] : [`refs/heads/${branch}`])),
  );
}

type Difference = Omit<RefChange, "isRestored">;

/** Gives changed branches and tags their values back; new ones go first, because `main/x` is in the way of `main`. */
export async function restoreUserRefs(
  repo: Repository,
  changes: readonly Difference[],
): Promise<RefChange[]> {
  const order = changes.toSorted(
    (one, other) => Number(one.before !== undefined) - Number(other.before !== undefined),
  );
  const restored: RefChange[] = [];
  for (const change of order) {
    restored.push({ ...change, isRestored: await restoreRef(repo, change) });
  }
  return restored;
}

async function restoreRef(repo: Repository, change: Difference): Promise<boolean> {
  const args = argsFor(change);
  if ((await askGit(repo, args)).exitCode === 0) return true;
  // A lock, or text that is no ref, left in its place.
  const files = repo.system.files(repo.commonDir);
  await files.remove(`${change.name}.lock`);
  await files.remove(change.name);
  return change.before === undefined || (await askGit(repo, args)).exitCode === 0;
}

/** Never through a symbolic ref: that would move another branch. */
function argsFor({ name, before }: Difference): string[] {
  if (before === undefined) return ["update-ref", "--no-deref", "-d", name];
  if (before.startsWith("ref: ")) return ["symbolic-ref", name, before.slice("ref: ".length)];
  return ["update-ref", "--no-deref", "-m", "ralph", name, before];
}

/** More are read faster by git. */
const maxFiles = 200;
/** A second change within a tick of the file system's clock keeps the time of the first. */
const tickMs = 20;

/**
 * The times and sizes of the files that keep branches and tags, without the one of `branch`: the same text again means that
 * no ref has changed, which costs no process. Undefined where only git can tell: refs in tables, links, very many refs, or
 * a change a moment ago.
 */
export async function readRefFiles(repo: Repository, branch: string): Promise<string | undefined> {
  const files = repo.system.files(repo.commonDir);
  if (await files.stat("reftable")) return undefined;
  const found = await filesOfRefs(files, `refs/heads/${branch}`);
  const now = repo.system.clock.now();
  const isCertain =
    found.length <= maxFiles &&
    found.every(({ kind, changedMs }) => kind === "file" && now - changedMs >= tickMs);
  if (!isCertain) return undefined;
  return found.map(({ path, bytes, changedMs }) => `${path} ${bytes} ${changedMs}`).join("\n");
}

/** All entries except folders, in a stable order; not many more than `maxFiles`. */
async function filesOfRefs(files: Files, own: string): Promise<(FileStat & { path: string })[]> {
  const paths = ["packed-refs", "refs/heads", "refs/tags"];
  const found: (FileStat & { path: string })[] = [];
  for (const path of paths) {
    const stat = path === own || found.length > maxFiles ? undefined : await files.stat(path);
    if (stat?.kind === "folder") {
      paths.push(...(await files.list(path)).map((name) => `${path}/${name}`));
    } else if (stat) found.push({ ...stat, path });
  }
  return found;
}
