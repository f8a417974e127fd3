import { phaseOf } from "../../core/state/phase.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import type { DialectInput, ForeignFile, MergeText } from "../dialect.ts";
import { renderJson } from "../json-text.ts";
import { agentFilesOf } from "./agent-states.ts";
import { claimedElsewhere, mergeQueue } from "./merge-queue.ts";
import { agentPath, locksOf, planIdOf, planPaths } from "./paths.ts";
import { parseAgent, parseQueue } from "./plans.ts";
import { progressOf } from "./progress-of.ts";
import { renderQueue, retryQueueOf } from "./queue-of.ts";
import type { ClaudeRalphTask } from "./schema/index.ts";

/** The files of the session's plan: in use, or archived when the plan is complete (specs 001, "Lifecycle"). */
export function renderClaudeRalph(
  state: SessionState,
  { config: { limits }, changedPaths = new Map() }: DialectInput,
): ForeignFile[] {
  const plan = planIdOf(state.session.branch);
  const retries = retryQueueOf(state, { plan, attempts: limits.queue_attempts });
  const used = planPaths(plan);
  const kept = planPaths(plan, state.session.session_id);
  const isOver = phaseOf(state) === "complete";
  const [shown, gone] = isOver ? [kept, used] : [used, kept];
  const agents = agentFilesOf(state, { plan, parallel: limits.parallel, changedPaths });
  const queue = { ours: renderQueue(state, plan), workers: agents.map(({ agent }) => agent) };
  return [
    ...agents.map(({ agent, state }) => agentFile({ agent, plan }, state)),
    isOver ? whole(shown.queue, queue.ours) : sharedQueue(shown.queue, queue, state),
    whole(shown.retries, retries && renderJson(retries)),
    shared(shown.progress, progressMark(state), () =>
      renderJson(progressOf(state, { plan, limits })),
    ),
    withdrawnQueue(gone.queue, queue.workers),
    ...[gone.retries, gone.progress].map((path) => whole(path, undefined)),
  ];
}

/** Other programs take tasks from the queue while it is in use; when the session has ended, they are only kept. */
function sharedQueue(
  path: string,
  { ours, workers }: { ours: string; workers: readonly string[] },
  { end, tasks, ts: now }: SessionState,
): ForeignFile {
  const passed = tasks.flatMap(({ task, state }) => (state === "passed" ? [task.id] : []));
  const merge = (disk: string | undefined, before?: string) => {
    const merged = mergeQueue({ disk, ours, before, workers, now });
    if (merged && merged.theirs.length > 0 && !end)
      throw claimedElsewhere(path, merged.theirs, passed);
    return merged?.text;
  };
  return shared(path, ours, merge);
}

/** A queue in which another program has a task stays in use. */
function withdrawnQueue(path: string, workers: readonly string[]): ForeignFile {
  const isTheirs = (task: ClaudeRalphTask) =>
    task.status === "claimed" && !workers.includes(task.claimed_by ?? "");
  const merge = (text: string | undefined) =>
    parseQueue(text)?.tasks.some(isTheirs) ? undefined : null;
  return shared(path, "withdrawn", merge);
}

/** Changes "after each agent completion" (specs 001) and with the state of a task, not with every event. */
const progressMark = ({ tasks, tasksAt, end, usage }: SessionState): string => {
  const calls = tasks.flatMap(({ state, lastCall }) =>
    state === "running" ? [lastCall?.role, lastCall?.iteration] : [],
  );
  return JSON.stringify([tasksAt, end?.at, usage, calls]);
};

const whole = (path: string, text: string | undefined): ForeignFile => ({
  ...{ path, locks: locksOf(path), text },
});

const shared = (path: string, ours: string, merge: MergeText): ForeignFile => ({
  ...{ path, locks: locksOf(path), ours, merge },
});

/** The file name does not contain the plan, so a file of another plan is not removed. */
function agentFile({ agent, plan }: { agent: string; plan: string }, state?: object): ForeignFile {
  const path = agentPath(agent);
  if (state) return whole(path, renderJson(state));
  const isOurs = (text?: string) => parseAgent(text)?.plan_id === plan;
  return shared(path, "", (text) => (isOurs(text) ? null : undefined));
}
