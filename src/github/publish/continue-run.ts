import { RalphError } from "../../error.ts";
import { type Reading, readJournal } from "../../journal/audit.ts";
import type { System } from "../../platform/system.ts";
import { counted } from "../../text/figures.ts";
import type { GitHub } from "../api/create-github.ts";
import { httpStatusOf, isRateLimited } from "../api/to-ralph-error.ts";

/** A workflow to dispatch: its file name, and a branch or tag. */
interface DispatchTarget {
  workflow: string;
  ref: string;
}

/** A session at a checkpoint, and the workflow that continues it. */
export interface Continuation {
  bundle: string;
  runId: string;
  workflowRef: string;
  maxContinuations: number;
}

export interface Continued extends DispatchTarget {
  continuation: number;
}

/** Tolerates clocks that differ a little. */
const toleranceMs = 60_000;

/**
 * Starts the workflow again with `resume-from` after a checkpoint (exit 23) and returns once GitHub has accepted it. If
 * that fails, the error is exit 23 with the command to do it by hand. The request is sent once.
 */
export async function continueRun(
  { github, system }: { github: GitHub; system: Pick<System, "files" | "clock"> },
  request: Continuation,
): Promise<Continued> {
  const { bundle, runId, workflowRef } = request;
  const target = parseWorkflowRef(workflowRef, github.repository);
  const reading = await readJournal(system.files(bundle));
  const { workflow: workflow_id, ref } = target;
  const command = `gh workflow run ${workflow_id} --ref ${ref} -f resume-from=${runId}`;
  const limits = { ...request, now: system.clock.now() };
  const continuation = requireContinuable(judgeContinuation(reading, limits), command);
  try {
    const act = `start ${workflow_id} again`;
    const inputs = { "resume-from": runId };
    await github.ask({ act, permission: "actions: write", reason: "checkpoint" }, ({ rest }) =>
      rest.actions.createWorkflowDispatch({ ...github.repo, workflow_id, ref, inputs }),
    );
  } catch (error) {
    throw withCommand(error, { target, command });
  }
  return { ...target, continuation };
}

/** Reads GITHUB_WORKFLOW_REF: `owner/repo/.github/workflows/x.yml@refs/heads/main`. */
export function parseWorkflowRef(text: string, repository: string): DispatchTarget {
  const match = /^([^/@]+\/[^/@]+)\/\.github\/workflows\/([\w.-]+\.ya?ml)@refs\/(\w+)\/(.+)$/.exec(
    text,
  );
  const [, owner, workflow, kind, ref] = match ?? [];
  const isSame = owner?.toLowerCase() === repository.toLowerCase();
  // People copy the command into a shell, so only plain names are accepted.
  const isPlain = ref !== undefined && /^[\w][\w./+-]*$/.test(ref);
  if (workflow && isPlain && isSame && (kind === "heads" || kind === "tags"))
    return { workflow, ref };
  throw new RalphError("checkpoint", {
    message: `The workflow ${JSON.stringify(text)} cannot be started again: it is not on a branch or tag of ${repository}.`,
    remedy: "Start it from the Actions tab with `resume-from` set to this run.",
  });
}

/** `wait`: a continuation before `until` (milliseconds since 1970) could not work. */
export type ContinuationVerdict =
  | { kind: "again"; continuation: number }
  | { kind: "wait"; until: number }
  | { kind: "stop"; why: string; remedy: string };

/** Whether a session continues automatically, and when. Pure. */
export function judgeContinuation(
  { state, moments, broken }: Reading,
  { maxContinuations, now }: { maxContinuations: number; now: number },
): ContinuationVerdict {
  if (state?.end?.reason !== "checkpoint" || broken) {
    const ending = broken ?? `it ended as ${state?.end?.reason ?? "killed"}`;
    const why = `The session does not continue automatically: ${ending}.`;
    return { kind: "stop", why, remedy: "" };
  }
  const done = moments.filter(({ event }) => event.type === "session_resume").length;
  if (done >= maxContinuations) {
    const why = `The session was continued ${counted(done, "time")}; limits.max_continuations is ${maxContinuations}.`;
    return { kind: "stop", why, remedy: "Find out why it takes so long. " };
  }
  const { pending } = state.agents;
  const resetsAt = pending?.kind === "limited" ? pending.resetsAt : undefined;
  const until = resetsAt === undefined ? 0 : Date.parse(resetsAt);
  return until > now + toleranceMs
    ? { kind: "wait", until }
    : { kind: "again", continuation: done + 1 };
}

function requireContinuable(verdict: ContinuationVerdict, command: string): number {
  if (verdict.kind === "again") return verdict.continuation;
  if (verdict.kind === "stop") {
    throw stop(verdict.why, `${verdict.remedy}To continue by hand: \`${command}\``);
  }
  const when = new Date(verdict.until).toISOString();
  throw stop(
    `The agent's usage limit resets at ${when}; an earlier job would only wait.`,
    `After ${when}: \`${command}\``,
  );
}

function stop(message: string, remedy: string, cause?: unknown): RalphError {
  return new RalphError("checkpoint", { message, remedy, cause });
}

/** Adds to GitHub's refusal a remedy for the workflow or the token, and the command to continue by hand. */
function withCommand(
  error: unknown,
  { target, command }: { target: DispatchTarget; command: string },
): unknown {
  if (!(error instanceof RalphError)) return error;
  return stop(error.message, remedyFor(error, { ...target, command }), error);
}

function remedyFor(
  error: RalphError,
  { workflow, ref, command }: DispatchTarget & { command: string },
): string {
  if (isRateLimited(error)) return `When the limit ends: \`${command}\``;
  const status = httpStatusOf(error);
  const byHand = `To continue by hand: \`${command}\``;
  if (status === 401 || status === 403) {
    return `Give the publishing job \`actions: write\` under \`permissions:\`. ${byHand}`;
  }
  if (status === 404) {
    return `Give the publishing job \`actions: write\`, and check that ${workflow} is on the default branch. ${byHand}`;
  }
  if (status === 422) {
    return `Add \`workflow_dispatch:\` with an input named \`resume-from\` to ${workflow} on ${ref}, and pass it on under \`with:\` as \`resume-from: \${{ inputs.resume-from }}\`. ${byHand}`;
  }
  return `Check whether GitHub started it anyway: \`gh run list --workflow ${workflow}\`. If not: \`${command}\``;
}
