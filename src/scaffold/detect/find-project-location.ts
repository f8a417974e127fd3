import { branchNameProblem } from "../../git/commits/branch-name.ts";
import { userEnvironment } from "../../git/repository/environment.ts";
import { locateRepository } from "../../git/repository/locate-repository.ts";
import type { System } from "../../platform/system.ts";

type Outside = Pick<System, "ask" | "env" | "files">;

/** Where a project begins and what it belongs to. */
export type ProjectLocation = {
  root: string;
  /** The work tree; undefined while there is no repository. */
  worktree: string | undefined;
  /** The project's folder below the work tree, empty when they are the same. */
  prefix: string;
  /** Names of the files in the folders from the work tree down to the project, without its own. */
  above: string[];
  baseBranch: string;
  /** Whether anything was ever committed. */
  hasCommits: boolean;
};

const manifests = ["package.json", "pyproject.toml", "setup.py", "go.mod", "Cargo.toml", "pom.xml"];

/**
 * The project a folder belongs to: the nearest one upwards that has a manifest or `.ralph`, else the work tree,
 * else the folder itself. A repository git cannot work with is exit 14; none at all is no obstacle here.
 */
export async function findProjectLocation(
  system: Outside,
  directory: string,
): Promise<ProjectLocation> {
  const worktree = await findWorktree(system, directory);
  const baseBranch = await readBaseBranch(system, worktree ?? directory);
  if (worktree === undefined) {
    return { root: directory, worktree, prefix: "", above: [], baseBranch, hasCommits: false };
  }
  const head = ["rev-parse", "--quiet", "--verify", "HEAD"];
  const { exitCode } = await askGit(system, { directory: worktree, args: head });
  const between = foldersBetween(worktree, directory);
  const root = await nearestProject(system, between);
  const prefix = root.slice(worktree.length + 1);
  const higher = between.filter((folder) => folder !== root && root.startsWith(`${folder}/`));
  const above = await Promise.all(higher.map((folder) => system.files(folder).list(".")));
  return { root, worktree, prefix, above: above.flat(), baseBranch, hasCommits: exitCode === 0 };
}

/** Asks git only where it has something to say, so that no program is needed to begin. */
async function findWorktree(system: Outside, directory: string): Promise<string | undefined> {
  const folders = foldersBetween("", directory);
  const marks = await Promise.all(
    folders.map(async (folder) => {
      const files = system.files(folder || "/");
      const isBare = (await files.stat("HEAD"))?.kind === "file" && (await files.stat("objects"));
      return isBare || (await files.stat(".git"));
    }),
  );
  if (marks.every((mark) => !mark)) return undefined;
  return (await locateRepository(system, directory)).worktree;
}

/** From the upper folder down to the lower one, both included. */
function foldersBetween(upper: string, lower: string): string[] {
  const parts = lower.slice(upper.length).split("/").filter(Boolean);
  return [upper, ...parts.map((_, index) => `${upper}/${parts.slice(0, index + 1).join("/")}`)];
}

async function nearestProject({ files }: Outside, folders: readonly string[]): Promise<string> {
  for (const folder of folders.toReversed()) {
    const names = await files(folder).list(".");
    if ([...manifests, ".ralph"].some((name) => names.includes(name))) return folder;
  }
  return folders[0] ?? "/";
}

/** What the remote calls its default, else the current branch, else what `git init` would make. */
async function readBaseBranch(system: Outside, directory: string): Promise<string> {
  const questions = [
    ["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"],
    ["symbolic-ref", "--quiet", "--short", "HEAD"],
    ["config", "--get", "init.defaultBranch"],
  ];
  for (const args of questions) {
    const { exitCode, stdout } = await askGit(system, { directory, args });
    const name = stdout
      .toString()
      .trim()
      .replace(/^origin\//, "");
    if (exitCode === 0 && branchNameProblem(name) === undefined) return name;
  }
  return "main";
}

function askGit({ ask, env }: Outside, { directory, args }: { directory: string; args: string[] }) {
  return ask({ file: "git", args, cwd: directory, env: userEnvironment(env) });
}
