import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import type { Repository } from "./repository.ts";

export type GitOptions = {
  input?: string | Buffer;
  maxBytes?: number;
  /** Added to the repository's environment. */
  env?: Environment;
};

export type GitAnswer = { exitCode: number; stdout: Buffer; stderr: string };

/** Runs git on the private directory, at the work tree's root. A non-zero exit is a result. */
export const askGit = async (
  repo: Repository,
  args: readonly string[],
  { env, ...options }: GitOptions = {},
): Promise<GitAnswer> => askProgram(repo, ["git", ...args], env ? { ...options, env } : options);

/** `askGit` for commands that fail only when something outside is broken; answers stdout. */
export async function runGit(
  repo: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const answer = await askGit(repo, args, options);
  if (answer.exitCode !== 0) throw gitFailed(args, answer);
  return answer.stdout;
}

/** The single line a command prints. */
export const readGitLine = async (
  repo: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> => (await runGit(repo, args, options)).toString().trim();

/**
 * Runs several git commands in one shell, each only if the one before succeeded; answers their output. Starting a process
 * costs more time than most git commands. `script` is a constant: external values are passed in `values`, as $1, $2 and
 * so on, and in the input.
 */
export async function runScript(
  repo: Repository,
  script: string,
  { values = [], ...options }: GitOptions & { values?: readonly string[] } = {},
): Promise<string> {
  const answer = await askProgram(repo, ["sh", "-ec", script, "sh", ...values], options);
  if (answer.exitCode !== 0) throw gitFailed(["commands"], answer);
  return answer.stdout.toString().trim();
}

/** Runs another trusted program (`xargs`) where git would run, with the same environment. */
export function askProgram(
  repo: Repository,
  command: readonly [file: string, ...args: string[]],
  { env, ...options }: GitOptions = {},
): Promise<GitAnswer> {
  const [file, ...args] = command;
  return repo.system.ask({
    ...options,
    file,
    args,
    cwd: repo.worktree,
    env: { ...repo.env, ...env },
  });
}

/** An error with git's own message and a remedy. */
export function gitFailed(
  args: readonly string[],
  { exitCode, stderr }: Pick<GitAnswer, "exitCode" | "stderr">,
): RalphError {
  const reason = stderr.trim() || `exit code ${exitCode}`;
  if (/permission denied|read-only file system/i.test(reason)) {
    return new RalphError("git", {
      message: `The repository cannot be written to: ${reason.split("\n")[0]}`,
      remedy:
        "Make the project's folder and its .git folder writable for this user, then run again.",
    });
  }
  return new RalphError("git", {
    message: `git ${args[0]} failed: ${reason}`,
    remedy: "Remove the cause git names above, then continue with `ralph run --resume`.",
  });
}
