import type { StopReason } from "../../error.ts";
import { counted } from "../../text/figures.ts";

/** A pull request from a branch of the repository itself; `isOwn`: its text has ralph's marker. */
export interface BranchPull {
  number: number;
  url: string;
  state: "open" | "merged" | "closed";
  isOwn: boolean;
}

/** One name of the count `ralph/words`, `ralph/words-2`, …: its last commit on GitHub, and the pull request that decides it. */
export interface NamedBranch {
  name: string;
  tip?: string | undefined;
  /** Whether the checkout's history holds the last commit, so that a session adds to it. */
  isInHistory?: boolean;
  pull?: BranchPull | undefined;
}

/** The newest session a run of this workflow kept. */
export interface KeptSession {
  /** The workflow run whose artifact holds it. */
  runId: string;
  branch: string;
  start: string;
  /** Undefined: the session was cut off. */
  reason: StopReason | undefined;
  message: string;
  passed: number;
  continuations: number;
  /** When a usage limit ends, milliseconds since 1970. */
  resetsAt?: number | undefined;
}

/** The facts before anything is spent. */
export interface WorkFacts {
  hasOpenTasks: boolean;
  /** The names in use, in the order of the count. */
  used: readonly NamedBranch[];
  /** The first name without a branch and without a pull request. */
  free: string;
  session?: KeptSession | undefined;
  head: string;
  /** A person started the workflow; a schedule or another program did not. */
  isByHand: boolean;
  wantsPull: boolean;
  maxContinuations: number;
  now: number;
}

/** The work of a run. `publish`: the kept session is finished and only has to be published. */
export type WorkDecision =
  | { kind: "run"; branch: string }
  | { kind: "continue" | "publish"; branch: string; runId: string }
  | { kind: "quiet"; message: string; pull?: BranchPull }
  | { kind: "refuse"; message: string; remedy: string };

/** Tolerates clocks that differ a little. */
const toleranceMs = 60_000;

/** Ends that the next scheduled run continues; every other end needs a person. */
const continuedAlone = new Set<StopReason | undefined>([
  ...(["checkpoint", "cancelled", "max_runtime", "agent_error", "breaker"] as const),
  undefined,
]);

/** Ends after which nothing of the session is continued. */
const untrusted = new Set<StopReason | undefined>(["tampering", "config", "source", "git"]);

/** Decides what a run of the workflow does about its branch, before anything is installed or spent. Pure. */
export function decideWork(facts: WorkFacts): WorkDecision {
  const { hasOpenTasks, used, free } = facts;
  if (!hasOpenTasks) return quiet("No task is open, so nothing was started.");
  const open = used.filter(({ pull }) => pull?.state === "open");
  const own = open.find(({ pull }) => pull?.isOwn) ?? open[0];
  if (own?.pull) return forOpenPull(own, own.pull, facts);
  const waiting = keptOn(free, facts);
  if (waiting) return forKept(waiting, facts) ?? { kind: "run", branch: free };
  const last = used.at(-1);
  if (last === undefined || last.pull?.state === "merged") return { kind: "run", branch: free };
  if (last.pull) return forClosedPull(last, last.pull, facts);
  return forBareBranch(last, facts);
}

const quiet = (message: string, pull?: BranchPull): WorkDecision => ({
  kind: "quiet",
  message,
  ...(pull && { pull }),
});

/** The kept session, if it worked on this branch and can be trusted. */
function keptOn(branch: string, { session }: WorkFacts): KeptSession | undefined {
  return session?.branch === branch && !untrusted.has(session.reason) ? session : undefined;
}

const isFinished = ({ reason }: KeptSession) => reason === "all_done" || reason === "nothing_to_do";

function forOpenPull({ name }: NamedBranch, pull: BranchPull, facts: WorkFacts): WorkDecision {
  const { number, url, isOwn } = pull;
  const session = keptOn(name, facts);
  if (isOwn && session && !isFinished(session)) return goOn(session, facts, pull);
  if (isOwn) return quiet(`Pull request #${number} waits for a person: ${url}`, pull);
  return {
    kind: "refuse",
    message: `Someone else's pull request #${number} is open from the branch ${name}: ${url}`,
    remedy: "Close it, or set another `branchName` in the task list.",
  };
}

function forClosedPull({ name }: NamedBranch, pull: BranchPull, facts: WorkFacts): WorkDecision {
  if (facts.isByHand) return { kind: "run", branch: facts.free };
  return quiet(
    `Pull request #${pull.number} of ${name} was closed without a merge, so nothing was started: ${pull.url}\nTo work on the open tasks again, start the workflow by hand or change \`branchName\` in the task list.`,
    pull,
  );
}

/** A branch from which no pull request was ever opened. */
function forBareBranch(last: NamedBranch, facts: WorkFacts): WorkDecision {
  const { name, tip = "" } = last;
  const session = keptOn(name, facts);
  const decision = session && forKept(session, facts);
  if (decision) return decision;
  if (last.isInHistory) return { kind: "run", branch: name };
  if (!facts.wantsPull) {
    return quiet(`The branch ${name} waits for a person; merge it or delete it.`);
  }
  return {
    kind: "refuse",
    message: `The branch ${name} is at ${tip.slice(0, 12)}, which no pull request and no kept session explains.`,
    remedy: `Open a pull request from ${name}, or delete the branch; then the open tasks are worked on.`,
  };
}

/** For a session without a pull request; undefined: a new one starts. */
function forKept(session: KeptSession, facts: WorkFacts): WorkDecision | undefined {
  const { branch, runId, passed, start, reason } = session;
  const isOver = !continuedAlone.has(reason);
  if (isFinished(session) || (isOver && passed > 0)) {
    return facts.wantsPull ? { kind: "publish", branch, runId } : undefined;
  }
  // The tasks or the project changed since it failed without a result.
  if (isOver && start !== facts.head) return undefined;
  return goOn(session, facts);
}

/** Continues a session, or says when or how it continues. */
function goOn(session: KeptSession, facts: WorkFacts, pull?: BranchPull): WorkDecision {
  const { branch, runId, reason, resetsAt = 0, continuations } = session;
  if (resetsAt > facts.now + toleranceMs) {
    const when = new Date(resetsAt).toISOString();
    return quiet(`The agent's usage limit resets at ${when}; a run after that continues.`, pull);
  }
  const isAlone = continuedAlone.has(reason);
  if (facts.isByHand || (isAlone && continuations < facts.maxContinuations)) {
    return { kind: "continue", branch, runId };
  }
  const why = isAlone
    ? `The session was continued ${counted(continuations, "time")}, and limits.max_continuations is ${facts.maxContinuations}.`
    : session.message;
  const where = pull ? ` Pull request #${pull.number}: ${pull.url}` : "";
  return quiet(
    `${why} The session does not continue without a person; start the workflow by hand with \`resume-from: ${runId}\`.${where}`,
    pull,
  );
}
