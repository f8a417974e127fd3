import { currentTask } from "../../core/state/phase.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { plainText } from "../../text/plain-text.ts";
import type { DialectInput } from "../dialect.ts";
import { countIterations } from "../session-facts.ts";
import { completionPromise } from "./schema/index.ts";
import type { RalphState, VerificationState } from "./schema/types.ts";

const maxClaim = 2000;

/** The session as omc's single loop; its story is the running task (specs 002, compatibility 7). */
export function ralphStateOf(state: SessionState, given: Pick<DialectInput, "config">): RalphState {
  const { session } = state;
  return {
    active: state.end === undefined,
    ...countIterations(state, given),
    completion_promise: completionPromise,
    started_at: state.startedAt,
    prompt: session.description || session.project,
    session_id: session.session_id,
    prd_mode: true,
    current_story_id: (state.end ? undefined : currentTask(state)?.task.id) ?? null,
    // Only changes of tasks: a file that changed with every event would cost every task some milliseconds.
    last_activity_at: state.end?.at ?? state.tasksAt,
  };
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
  const { lastReview, lastFailure, rejections, claim = "" } = task;
  const isApproved = task.done.review || task.state === "passed";
  return {
    pending: !isApproved,
    original_task: task.task.title,
    completion_claim: plainText(claim).slice(0, maxClaim),
    verification_attempts: isApproved ? (lastReview?.attempt ?? 0) : rejections,
    max_verification_attempts: config.limits.max_verification_attempts,
    oracle_feedback: isApproved ? "approved" : feedbackOf(lastFailure),
    last_attempt_at: lastReview?.at ?? null,
    session_id: state.session.session_id,
  };
}

const feedbackOf = (failure: TaskState["lastFailure"]) =>
  failure?.because === "review" ? failure.feedback.slice(0, maxClaim) : null;

/** The running task, else the last ended one, if an agent has claimed that it is done. */
function claimedTask(state: SessionState): TaskState | undefined {
  const isClaimed = ({ claim, lastReview }: TaskState) =>
    claim !== undefined || lastReview !== undefined;
  const current = state.tasks.find((task) => task.state === "running");
  if (current) return isClaimed(current) ? current : undefined;
  const ended = state.tasks.filter((task) => task.endedAt !== undefined && isClaimed(task));
  return ended.toSorted((a, b) => ((a.endedAt ?? "") < (b.endedAt ?? "") ? 1 : -1))[0];
}
