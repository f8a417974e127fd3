import { pathMatcher } from "../../core/checks/path-pattern.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { dialectDocumentPaths } from "../../dialects/dialects.ts";
import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { readUserBranch } from "../../git/repository/user-head.ts";
import { isObjectId, missingObjects, readBlob } from "../../git/trees/objects.ts";
import type { Config } from "../../schema/config/config.ts";
import type { PlanCommits } from "../../session/bundle/plan-commits.ts";
import { documentPaths } from "../../session/loop/bookkeeping.ts";
import { isPattern } from "../../session/open/find-task-path.ts";
import { branchName } from "../../session/open/prepare-branch.ts";
import { type MakeConfig, readCommitConfig } from "../../session/open/start-config.ts";
import { withBaseBranch } from "../../sources/config-overrides.ts";
import { parseTaskFile } from "../../sources/task-file.ts";

/** What a publisher believes: nothing of it comes from the bundle (T57). */
export interface Trust {
  /**
   * Revisions of the checkout whose history the start commit must be in: HEAD of a fresh clone, or GITHUB_SHA where
   * agents have worked in it.
   */
  revisions: readonly string[];
  /** Path of the configuration below the project root. */
  config: string;
  /** For a start commit without a configuration, where the session may have worked without one. */
  makeConfig?: MakeConfig;
  /** Path of the task list, where it is not the configuration's. */
  tasks?: string;
  /** The branch to publish, where it is neither the task list's nor the one that is checked out. */
  branch?: string;
  /** Where the pull request goes, where that is not what the configuration says. */
  baseBranch?: string;
}

/** Rules and names for one publication, read at the start commit. */
export interface TrustedStart {
  /** Of trusted history: everything that is published comes after it. */
  commit: string;
  config: Config;
  /** Our bookkeeping: task list, progress log, AGENTS.md, guardrails.md. */
  own: readonly string[];
  branch: string;
  /** What an autopilot run has committed before its session. */
  plan?: PlanCommits;
}

/**
 * Makes sure that a session began where its bundle may say it began: at a commit of trusted history, and for a branch
 * that the task list there, the checkout or the caller names. Answers the rules of that commit.
 */
export async function readTrustedStart(
  repo: Repository,
  state: SessionState,
  trust: Trust,
): Promise<TrustedStart> {
  const { commit } = state.session.start;
  await requireHistory(repo, commit, trust.revisions);
  const config = await requireConfig(repo, commit, trust);
  const tasks = trust.tasks ?? chosenTasks(config, state);
  const branch = await chooseBranch(repo, state, { ...trust, tasks, config });
  const own = [...documentPaths(config, tasks), ...dialectDocumentPaths(config, state)];
  return { commit, config, own, branch };
}

/** Of a pattern the session has taken one file; which one is its own word, that it fits is not. */
function chosenTasks({ task_source: { path } }: Config, { session }: SessionState): string {
  return isPattern(path) && pathMatcher([path])(session.source.path) ? session.source.path : path;
}

/** Refuses a commit that is not in the history of one of the revisions of this checkout (exit 14). */
export async function requireHistory(
  repo: Repository,
  commit: string,
  revisions: readonly string[],
): Promise<void> {
  const name = commit.slice(0, 12);
  if (!isObjectId(commit) || (await missingObjects(repo, [commit])).length > 0) {
    throw untrusted(`The start commit ${name} is not in this checkout.`);
  }
  for (const revision of revisions) {
    const known = revision === "HEAD" ? await readHead(repo) : revision;
    const args = ["merge-base", "--is-ancestor", commit, `${known}^{commit}`];
    if ((await askGit(repo, args)).exitCode === 0) return;
  }
  throw untrusted(
    `The start commit ${name} is not in the history of ${revisions.join(" or ")}, as far as this checkout knows it.`,
  );
}

/** The checkout's own: the private directory's HEAD names nothing. */
async function readHead(repo: Repository): Promise<string> {
  const text = await repo.system.files(repo.gitDir).read("HEAD", { maxBytes: 4096 });
  const head =
    text
      ?.toString()
      .trim()
      .replace(/^ref: /, "") ?? "";
  return isObjectId(head) || head.startsWith("refs/heads/") ? head : "HEAD";
}

function untrusted(message: string): RalphError {
  return new RalphError("git", {
    message,
    remedy:
      "Check out the whole history: `fetch-depth: 0` with actions/checkout, in the repository the session ran in.",
  });
}

/** The configuration of a commit; without one there are no rules (exit 1). */
export async function requireConfig(
  repo: Repository,
  commit: string,
  { config: path, makeConfig, baseBranch }: Pick<Trust, "config" | "makeConfig" | "baseBranch">,
): Promise<Config> {
  const config = await readCommitConfig(repo, { commit, path }, makeConfig);
  if (config) return baseBranch === undefined ? config : withBaseBranch(baseBranch)(config);
  throw new RalphError("config", {
    message: `${path} is not in the start commit ${commit.slice(0, 12)}, so there are no rules to publish by.`,
    remedy: "Name the configuration the session ran with by the input `config`.",
  });
}

type Names = Pick<Trust, "branch"> & { tasks: string; config: Config };

async function chooseBranch(
  repo: Repository,
  { session }: SessionState,
  known: Names,
): Promise<string> {
  const allowed = known.branch === undefined ? await namesOf(repo, session, known) : [known.branch];
  if (allowed.includes(session.branch)) return session.branch;
  throw new RalphError("git", {
    message: `The session worked on the branch ${JSON.stringify(session.branch)}, and ${allowed.join(" or ")} was expected.`,
    remedy: "Name the branch by the input `branch` when it is the one you want.",
  });
}

/** The branch a session there makes for itself, and the one it was started on. */
async function namesOf(
  repo: Repository,
  { start }: SessionState["session"],
  { tasks, config }: Names,
): Promise<string[]> {
  const bytes = await readBlob(repo, { treeish: start.commit, path: tasks });
  const checkedOut = await readUserBranch(repo.system.files(repo.gitDir));
  return [
    ...(bytes ? [branchName(config, parseTaskFile(bytes, tasks).prd)] : []),
    ...(checkedOut === undefined ? [] : [checkedOut]),
  ];
}
