import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import { refuse } from "./locate-repository.ts";

export type GitVersion = { major: number; minor: number };

const oldest: GitVersion = { major: 2, minor: 34 };

/** The installed git; older than 2.34 is refused. */
export async function readGitVersion({
  ask,
  env,
}: Pick<System, "ask" | "env">): Promise<GitVersion> {
  const args = ["version"];
  const answer = await ask({ file: "git", args, cwd: "/", env: { PATH: env.PATH } });
  if (answer.exitCode === 127) throw refuse("no-git", "/");
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

export function isAtLeast(version: GitVersion, wanted: GitVersion): boolean {
  return version.major === wanted.major
    ? version.minor >= wanted.minor
    : version.major > wanted.major;
}
