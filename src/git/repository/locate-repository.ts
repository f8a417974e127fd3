import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import { userEnvironment } from "./environment.ts";
import type { Repository } from "./repository.ts";

export type RepositoryPaths = Pick<
  Repository,
  "root" | "worktree" | "prefix" | "gitDir" | "commonDir"
>;

const remedies = {
  "no-git": "Install git 2.34 or newer and make sure `git` is on PATH.",
  unowned: "Run `git config --global --add safe.directory '*'`, or own the folder you work in.",
  bare: "Work in a clone with a work tree: `git clone <this repository> <folder>`.",
  reftable: "Run `git refs migrate --ref-format=files`, then try again.",
  "not-a-repository": "Run `git init`, commit your files, then try again.",
} as const;

type LocateFault = keyof typeof remedies;

type Asker = Pick<System, "ask" | "env">;

// Several callers ask this while a session starts. A system is one run of a program.
const located = new WeakMap<Asker, Map<string, RepositoryPaths>>();

/** Finds the repository of a folder at or below its root: work tree, linked work tree or submodule. */
export async function locateRepository(system: Asker, directory: string): Promise<RepositoryPaths> {
  const known = located.get(system) ?? new Map<string, RepositoryPaths>();
  const paths = known.get(directory) ?? (await askWhere(system, directory));
  located.set(system, known.set(directory, paths));
  return paths;
}

async function askWhere(system: Asker, directory: string): Promise<RepositoryPaths> {
  const questions = ["--is-bare-repository", "--git-dir", "--git-common-dir", "--show-prefix"];
  const answer = await system.ask({
    file: "git",
    args: ["rev-parse", "--path-format=absolute", ...questions, "--show-toplevel"],
    cwd: directory,
    env: userEnvironment(system.env),
  });
  const [bare, gitDir, commonDir, prefix = "", worktree] = answer.stdout.toString().split("\n");
  if (bare === "true") throw refuse("bare", directory);
  if (answer.exitCode !== 0 || !gitDir || !commonDir || !worktree) {
    throw refuse(nameFault(answer), directory);
  }
  return { gitDir, commonDir, worktree, prefix, root: `${worktree}/${prefix}`.replace(/\/$/, "") };
}

const cannotStart = ({ exitCode }: { exitCode: number }) => exitCode === 126 || exitCode === 127;

/** The reason for git's refusal. Pure. */
export function nameFault({ exitCode, stderr }: { exitCode: number; stderr: string }): LocateFault {
  if (cannotStart({ exitCode })) return "no-git";
  if (stderr.includes("dubious ownership") || stderr.includes("unsafe repository")) {
    return "unowned";
  }
  return /refstorage|reftable/i.test(stderr) ? "reftable" : "not-a-repository";
}

/** The refusal with its remedy. */
export function refuse(fault: LocateFault, directory: string): RalphError {
  const messages: Record<LocateFault, string> = {
    "no-git": "git could not be started.",
    unowned: `git does not trust ${directory}: it belongs to another user.`,
    bare: `${directory} is a bare repository: there are no files to work on.`,
    reftable: `${directory} keeps its refs in a reftable, which is not supported yet.`,
    "not-a-repository": `${directory} is not in a git repository.`,
  };
  return new RalphError("git", { message: messages[fault], remedy: remedies[fault] });
}

export type GitVersion = { major: number; minor: number };

const oldest: GitVersion = { major: 2, minor: 34 };

/** The installed git; older than 2.34 is refused. */
export async function readGitVersion({
  ask,
  env,
}: Pick<System, "ask" | "env">): Promise<GitVersion> {
  const args = ["version"];
  const answer = await ask({ file: "git", args, cwd: "/", env: { PATH: env.PATH } });
  if (cannotStart(answer)) throw refuse("no-git", "/");
  const said = answer.stdout.toString().trim() || answer.stderr.trim();
  const version = parseGitVersion(said);
  if (version !== undefined && isAtLeast(version, oldest)) return version;
  throw new RalphError("git", {
    message: `git ${oldest.major}.${oldest.minor} or newer is needed; \`git version\` says ${JSON.stringify(said)}.`,
    remedy: "Install a current git and make sure it is the first `git` on PATH.",
  });
}

export function parseGitVersion(text: string): GitVersion | undefined {
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(text) ?? [];
  return major && minor ? { major: Number(major), minor: Number(minor) } : undefined;
}

export const isAtLeast = (version: GitVersion, wanted: GitVersion): boolean =>
  version.major === wanted.major ? version.minor >= wanted.minor : version.major > wanted.major;
