import { currentTask, phaseOf } from "../../core/state/phase.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { plainText } from "../../text/plain-text.ts";
import type { DialectInput } from "../dialect.ts";
import { countIterations } from "../session-facts.ts";
import { completionPromise } from "./schema/index.ts";
import type { RalphState, VerificationState } from "./schema/types.ts";

const maxClaim = 2000;

/** The session as omc's single loop; its story is the running task (specs 002, compatibility 7). */
export function ralphStateOf(
  state: SessionState,
  given: Pick<DialectInput, "config">,
): RalphState & OmcEnd {
  const { session } = state;
  return {
    active: state.end === undefined,
    ...countIterations(state, given),
    completion_promise: completionPromise,
    started_at: state.resumedAt ?? state.startedAt,
    prompt: session.description || session.project,
    session_id: session.session_id,
    prd_mode: true,
    current_story_id: (state.end ? undefined : currentTask(state)?.task.id) ?? null,
    last_activity_at: activityOf(state),
    ...endOf(state),
  };
}

/** Only the last part of an ended loop is marked; a loop that is merely inactive is complete (compatibility 4). */
type OmcEnd = { cancelled_at?: string; reason?: string };

function endOf(state: SessionState): OmcEnd {
  if (!state.end || phaseOf(state) === "complete") return {};
  return { cancelled_at: state.end.at, reason: state.end.reason };
}

/** Changes with tasks and calls: a file that changed with every event would cost every task some milliseconds. */
function activityOf({ end, tasksAt, tasks }: SessionState): string {
  const calls = tasks.flatMap(({ doing }) => doing?.since ?? []);
  return end?.at ?? [tasksAt, ...calls].toSorted().at(-1) ?? tasksAt;
}

/**
 * The review of the running task, else of the last claimed one. A new claim waits for its own verification and keeps the
 * count of earlier attempts; only an approval ends it, however many attempts there were (compatibility 4).
 */
export function verificationOf(
  state: SessionState,
  { config }: Pick<DialectInput, "config">,
): VerificationState | undefined {
  const task = claimedTask(state);
  if (!task) return undefined;
  const { lastReview, rejections, claim = "" } = task;
  const isApproved = task.done.review || task.state === "passed";
  const rejection = rejections > 0 ? lastRejection(task) : undefined;
  return {
    pending: !isApproved,
    original_task: task.task.title,
    completion_claim: plainText(claim).slice(0, maxClaim),
    verification_attempts: isApproved ? (lastReview?.attempt ?? 0) : rejections,
    max_verification_attempts: config.limits.max_verification_attempts,
    oracle_feedback: isApproved ? "approved" : (rejection?.feedback ?? null),
    last_attempt_at: isApproved ? (lastReview?.at ?? null) : (rejection?.at ?? null),
    session_id: state.session.session_id,
  };
}

/** Attempts, feedback and time change together, with the event that counts the rejection. */
const lastRejection = ({ failures }: TaskState) =>
  failures?.findLast(({ because }) => because === "review");

/** The running task, else the last ended one, if an agent has claimed that it is done. */
function claimedTask(state: SessionState): TaskState | undefined {
  const isClaimed = ({ claim, lastReview }: TaskState) =>
    claim !== undefined || lastReview !== undefined;
  const current = state.tasks.find((task) => task.state === "running");
  if (current) return isClaimed(current) ? current : undefined;
  const ended = state.tasks.filter((task) => task.endedAt !== undefined && isClaimed(task));
  return ended.toSorted((a, b) => ((a.endedAt ?? "") < (b.endedAt ?? "") ? 1 : -1))[0];
}
