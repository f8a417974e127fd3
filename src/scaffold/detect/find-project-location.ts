import { branchNameProblem } from "../../git/commits/branch-name.ts";
import { userEnvironment } from "../../git/repository/environment.ts";
import { locateRepository } from "../../git/repository/locate-repository.ts";
import type { ReadFiles, System } from "../../platform/system.ts";

type GitAccess = Pick<System, "ask" | "env" | "files">;

/** The root of a project and the repository around it. */
export type ProjectLocation = {
  root: string;
  /** The work tree; undefined while there is no repository. */
  worktree: string | undefined;
  /** The project's folder below the work tree; empty for the work tree itself. */
  prefix: string;
  /** The folders above the project, nearest first, up to the work tree. */
  above: ReadFiles[];
  baseBranch: string;
  /** Whether the repository has a commit. */
  hasCommits: boolean;
};

const manifests = [
  "package.json",
  "pyproject.toml",
  "setup.py",
  "go.mod",
  "Cargo.toml",
  "pom.xml",
  "Gemfile",
  "composer.json",
];

/** The nearest folder upwards with a manifest or `.ralph`, else the work tree, else the folder itself. */
export async function findProjectLocation(
  system: GitAccess,
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
  const above = higher.toReversed().map((folder) => system.files(folder));
  return { root, worktree, prefix, above, baseBranch, hasCommits: exitCode === 0 };
}

/** Calls git only inside of a repository, so that `init` works without git. */
async function findWorktree(system: GitAccess, directory: string): Promise<string | undefined> {
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

/** The folders from upper to lower, both included. */
function foldersBetween(upper: string, lower: string): string[] {
  const parts = lower.slice(upper.length).split("/").filter(Boolean);
  return [upper, ...parts.map((_, index) => `${upper}/${parts.slice(0, index + 1).join("/")}`)];
}

async function nearestProject({ files }: GitAccess, folders: readonly string[]): Promise<string> {
  for (const folder of folders.toReversed()) {
    const names = await files(folder).list(".");
    if ([...manifests, ".ralph"].some((name) => names.includes(name))) return folder;
  }
  return folders[0] ?? "/";
}

/** The default branch of the remote, else the current branch, else the default of `git init`. */
async function readBaseBranch(system: GitAccess, directory: string): Promise<string> {
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

const askGit = (
  { ask, env }: GitAccess,
  { directory, args }: { directory: string; args: string[] },
) => ask({ file: "git", args, cwd: directory, env: userEnvironment(env) });
