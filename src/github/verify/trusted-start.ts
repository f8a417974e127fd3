import { pathMatcher } from "../../core/checks/path-pattern.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { dialectDocumentPaths } from "../../dialects/dialects.ts";
import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { readUserBranch, readUserRevision } from "../../git/repository/user-head.ts";
import { commitOf, isObjectId, missingObjects, readBlob } from "../../git/trees/objects.ts";
import { type AutopilotPlan, planHead } from "../../schema/autopilot/plan.ts";
import type { Config } from "../../schema/config/config.ts";
import { checkPlan, type PlanCommits } from "../../session/bundle/plan-commits.ts";
import { documentPaths } from "../../session/loop/bookkeeping.ts";
import { isPattern } from "../../session/open/find-task-path.ts";
import { branchName } from "../../session/open/prepare-branch.ts";
import { type MakeConfig, readCommitConfig } from "../../session/open/start-config.ts";
import { withBaseBranch } from "../../sources/config-overrides.ts";
import { parseTaskFile } from "../../sources/task-file.ts";
import { shortCommit } from "../../text/figures.ts";
import { takePack } from "./audit-bundle.ts";

/** The publisher's trusted inputs; none comes from the bundle (T57). */
export interface Trust {
  /**
   * Revisions of the checkout, one of which must have the start commit in its history: HEAD of a fresh clone, or
   * GITHUB_SHA where agents have worked in it.
   */
  revisions: readonly string[];
  /** Path of the configuration below the project root. */
  config: string;
  /** Makes the configuration for a start commit without one, where sessions may run without. */
  makeConfig?: MakeConfig;
  tasks?: string;
  /** The branch to publish, if neither the task list's nor the checked-out one. */
  branch?: string;
  /** Whether `name` is the next of the count that begins with `wanted`: `ralph/words-2` after `ralph/words`. */
  acceptsBranch?: (wanted: string, name: string) => Promise<boolean>;
  /** The base of the pull request, if not the configured one. */
  baseBranch?: string;
}

/** The settings for a publication in one commit's configuration. */
interface Rules {
  config: Config;
  /** Files ralph keeps itself: task list, progress log, AGENTS.md, guardrails.md. */
  own: readonly string[];
}

/** Rules and names for one publication, read from the start commit. */
export interface TrustedStart extends Rules {
  /** In trusted history; everything published comes after it. */
  commit: string;
  branch: string;
  /** The rules of the commit the publisher was given, where that is another one: both must hold. */
  today?: Rules | undefined;
  /** The autopilot run's commits before its session. */
  plan?: PlanCommits;
}

/**
 * Checks that a session began at a commit of trusted history, and for a branch that the task list there, the checkout or
 * the caller names. Returns the rules of that commit.
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
  const ownOf = (by: Config) => [
    ...documentPaths(by, trust.tasks ?? chosenTasks(by, state)),
    ...dialectDocumentPaths(by, state),
  ];
  const today = await rulesToday(repo, trust, { start: commit, head: state.head, ownOf });
  return { commit, config, own: ownOf(config), branch, today };
}

/** For a pattern the session names the file; it only counts if the pattern matches. */
function chosenTasks({ task_source: { path } }: Config, { session }: SessionState): string {
  return isPattern(path) && pathMatcher([path])(session.source.path) ? session.source.path : path;
}

/** Refuses a commit outside the history of these revisions of the checkout (exit 14). */
export async function requireHistory(
  repo: Repository,
  commit: string,
  revisions: readonly string[],
): Promise<void> {
  const name = shortCommit(commit);
  if (!isObjectId(commit) || (await missingObjects(repo, [commit])).length > 0) {
    throw untrusted(`The start commit ${name} is not in this checkout.`);
  }
  for (const revision of revisions) {
    const known = await revisionOf(repo, revision);
    const args = ["merge-base", "--is-ancestor", commit, `${known}^{commit}`];
    if ((await askGit(repo, args)).exitCode === 0) return;
  }
  throw untrusted(
    `The start commit ${name} is not in the history of ${revisions.join(" or ")}, as far as this checkout goes.`,
  );
}

/** The private directory's HEAD is empty, so HEAD means the checkout's. */
const revisionOf = async (repo: Repository, revision: string) =>
  revision === "HEAD" ? await readUserRevision(repo) : revision;

/**
 * The rules of the commit the publisher was given, when a session began at another one: the author of a bundle could
 * choose an old commit for its rules (T37, T57). Undefined when there are no further rules.
 */
async function rulesToday(
  repo: Repository,
  { revisions: [revision = "HEAD"], config: path, makeConfig }: Trust,
  { start, head, ownOf }: { start: string; head: string; ownOf: (by: Config) => string[] },
): Promise<Rules | undefined> {
  const commit = await commitOf(repo, await revisionOf(repo, revision));
  if (commit === undefined || commit === start || commit === head) return undefined;
  const config = await readCommitConfig(repo, { commit, path }, makeConfig);
  return config && { config, own: ownOf(config) };
}

function untrusted(message: string): RalphError {
  return new RalphError("git", {
    message,
    remedy:
      "Check out the whole history of the repository the session ran in: `fetch-depth: 0` with actions/checkout.",
  });
}

/** Reads the configuration of a commit; exit 1 when there is none. */
export async function requireConfig(
  repo: Repository,
  commit: string,
  { config: path, makeConfig, baseBranch }: Pick<Trust, "config" | "makeConfig" | "baseBranch">,
): Promise<Config> {
  const config = await readCommitConfig(repo, { commit, path }, makeConfig);
  if (config) return baseBranch === undefined ? config : withBaseBranch(baseBranch)(config);
  throw new RalphError("config", {
    message: `${path} is not in the start commit ${shortCommit(commit)}, so there are no rules to publish by.`,
    remedy: "Name the configuration the session ran with by the input `config`.",
  });
}

const branchRemedy = "Set the input `branch` if it is the branch you want.";

type BranchSources = Pick<Trust, "branch" | "acceptsBranch"> & { tasks: string; config: Config };

async function chooseBranch(
  repo: Repository,
  { session }: SessionState,
  sources: BranchSources,
): Promise<string> {
  const { branch } = sources;
  const allowed = branch === undefined ? await branchesFor(repo, session, sources) : [branch];
  if (allowed.includes(session.branch)) return session.branch;
  throw new RalphError("git", {
    message: `The session worked on the branch ${JSON.stringify(session.branch)}, but ${allowed.join(" or ")} was expected.`,
    remedy: branchRemedy,
  });
}

/** The branch a session creates from this task list, the next of its count, and the checked-out one. */
async function branchesFor(
  repo: Repository,
  { start, branch }: SessionState["session"],
  { tasks, config, acceptsBranch }: BranchSources,
): Promise<string[]> {
  const bytes = await readBlob(repo, { treeish: start.commit, path: tasks });
  const checkedOut = await readUserBranch(repo.system.files(repo.gitDir));
  const wanted = bytes && branchName(config, parseTaskFile(bytes, tasks).prd);
  const number = branch.slice(`${wanted}-`.length);
  const isCounted = branch === `${wanted}-${number}` && /^[2-9]$|^[1-9]\d{1,2}$/.test(number);
  const isAccepted = wanted && isCounted && (await acceptsBranch?.(wanted, branch));
  return [wanted, checkedOut, isAccepted ? branch : undefined].filter((name) => name !== undefined);
}

/**
 * `readTrustedStart` for an autopilot run, whose own commits are in no checkout: its base commit must be in trusted
 * history, and the run's commits on top of it are checked by that commit's rules.
 */
export async function readPlanStart(
  repo: Repository,
  { plan, bundle }: { plan: AutopilotPlan; bundle: string },
  trust: Trust,
): Promise<TrustedStart> {
  const { base, branch = "", task_path: tasks } = plan;
  await requireHistory(repo, base, trust.revisions);
  const config = await requireConfig(repo, base, trust);
  if (trust.branch !== undefined && trust.branch !== branch) {
    throw new RalphError("git", {
      message: `The autopilot run worked on the branch ${JSON.stringify(branch)}, but ${trust.branch} was expected.`,
      remedy: branchRemedy,
    });
  }
  const head = planHead(plan);
  if (head !== undefined && isObjectId(head)) await takePack(repo, { head }, bundle);
  const checked = await checkPlan(repo, { plan, config, named: trust.branch });
  const ownOf = (by: Config) => documentPaths(by, tasks);
  const today = await rulesToday(repo, trust, { start: base, head: head ?? base, ownOf });
  return { commit: base, config, own: ownOf(config), branch, plan: checked, today };
}
