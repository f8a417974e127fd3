import { join } from "node:path/posix";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import { privateEnvironment, userEnvironment } from "../repository/environment.ts";
import { canFlushAtOnce } from "../repository/flush-objects.ts";
import {
  locateRepository,
  type RepositoryPaths,
  readGitVersion,
  refuse,
} from "../repository/locate-repository.ts";
import { type GitConfig, parseConfigList, readIdentity } from "../repository/private-config.ts";
import type { Repository } from "../repository/repository.ts";
import { askGit } from "../repository/run-git.ts";
import { readUserBranch } from "../repository/user-head.ts";
import { trustIndex } from "../worktree/trust-index.ts";
import { writePrivateDirectory } from "./private-directory.ts";

export type OpenOptions = {
  directory: string;
  /** Must exist; the private directory becomes `git` in it. */
  stateDir: string;
  /**
   * The branch of a session that resumes. Agents have run since its start, so an existing private directory is used as
   * it is, and a moved HEAD does not stop the session: it is restored later.
   */
  branch?: string;
};

type Opener = Pick<System, "ask" | "files" | "clock" | "env">;

/** Finds the repository and prepares its private git directory, under the session's lock. Exit 14 if unsupported. */
export async function openRepository(system: Opener, options: OpenOptions): Promise<Repository> {
  const paths = await locateRepository(system, options.directory);
  await refuseUnfinished(system, paths);
  const branch = options.branch ?? (await requireBranch(system, paths));
  const privateDir = join(options.stateDir, "git");
  const { config, isNew } = await preparePrivate(system, { paths, options, privateDir });
  await system.files(privateDir).write("HEAD", `ref: refs/heads/${branch}\n`);
  const env = privateEnvironment({
    path: system.env.PATH,
    privateDir,
    worktree: paths.worktree,
    identity: readIdentity(config),
  });
  const flushesAtOnce = canFlushAtOnce(paths);
  const plain = { system, ...paths, privateDir, env, flushesAtOnce, usesFilters: false };
  const [usesFilters] = await Promise.all([namesFilters(plain), requireCommit(plain)]);
  const repo = { ...plain, usesFilters };
  if (isNew) await trustIndex(repo);
  return repo;
}

async function preparePrivate(
  system: Opener,
  {
    paths,
    options,
    privateDir,
  }: { paths: RepositoryPaths; options: OpenOptions; privateDir: string },
): Promise<{ config: GitConfig; isNew: boolean }> {
  await system.files(options.stateDir).makeFolder("git");
  // Only a killed process can have left it, because the caller holds the session's lock.
  await system.files(privateDir).remove("index.lock");
  const isWritten = (await system.files(privateDir).stat("config")) !== undefined;
  if (options.branch !== undefined && isWritten) {
    return { config: await readPrivateConfig(system, privateDir), isNew: false };
  }
  const [version, config] = await Promise.all([
    readGitVersion(system),
    readUserConfig(system, paths.worktree),
  ]);
  if (config.get("extensions.refstorage") === "reftable") throw refuse("reftable", paths.worktree);
  await writePrivateDirectory({ system, paths, privateDir, config, version });
  return { config, isNew: true };
}

/** The user's git configuration, all levels included. */
export async function readUserConfig(system: Opener, cwd: string): Promise<GitConfig> {
  const args = ["config", "--list", "--null"];
  const { stdout } = await system.ask({ file: "git", args, cwd, env: userEnvironment(system.env) });
  return parseConfigList(stdout.toString());
}

async function readPrivateConfig(system: Opener, privateDir: string): Promise<GitConfig> {
  const env = { PATH: system.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const args = ["config", "--file", "config", "--list", "--null"];
  const { stdout } = await system.ask({ file: "git", args, cwd: privateDir, env });
  return parseConfigList(stdout.toString());
}

const unfinished: Record<string, string> = {
  MERGE_HEAD: "merge",
  CHERRY_PICK_HEAD: "cherry-pick",
  REVERT_HEAD: "revert",
  "rebase-merge": "rebase",
  "rebase-apply": "rebase",
  BISECT_LOG: "bisect",
};

async function refuseUnfinished({ files }: Pick<System, "files">, { gitDir }: RepositoryPaths) {
  const found = (await files(gitDir).list("")).find((name) => name in unfinished);
  if (found === undefined) return;
  const act = unfinished[found];
  throw new RalphError("git", {
    message: `A ${act} is in progress in this work tree.`,
    remedy: `Finish it, or end it with \`git ${act} ${act === "bisect" ? "reset" : "--abort"}\`.`,
  });
}

async function requireBranch({ files }: Pick<System, "files">, { gitDir }: RepositoryPaths) {
  const branch = await readUserBranch(files(gitDir));
  if (branch !== undefined) return branch;
  throw new RalphError("git", {
    message: "HEAD is detached: there is no branch to commit to.",
    remedy: "Run `git switch <branch>`, or `git switch -c <new branch>`.",
  });
}

async function requireCommit(repo: Repository): Promise<void> {
  const { exitCode } = await askGit(repo, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  if (exitCode === 0) return;
  throw new RalphError("git", {
    message: "The current branch has no commit yet.",
    remedy: 'Commit what you have: `git add -A && git commit -m "start"`.',
  });
}

/** Whether any attribute file mentions a filter, such as that of git-lfs. */
async function namesFilters(repo: Repository): Promise<boolean> {
  const info = repo.system.files(join(repo.privateDir, "info"));
  const own = await Promise.all([info.read("attributes"), info.read("user-attributes")]);
  if (own.some((text) => text?.includes("filter"))) return true;
  const args = ["grep", "--cached", "--quiet", "-F", "filter", "--", ":(glob)**/.gitattributes"];
  // Only this pathspec is a pattern, and ralph sets it.
  const answer = await askGit(repo, args, { env: { GIT_LITERAL_PATHSPECS: "0" } });
  return answer.exitCode !== 1;
}
