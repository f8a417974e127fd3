import { phaseOf } from "../../core/state/phase.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import type { DialectInput, ForeignFile } from "../dialect.ts";
import { renderJson } from "../json-text.ts";
import { agentFilesOf } from "./agent-states.ts";
import { agentPath, locksOf, planIdOf, planPaths } from "./paths.ts";
import { parseAgent } from "./plans.ts";
import { progressOf } from "./progress-of.ts";
import { renderQueue, retryQueueOf } from "./queue-of.ts";

/** The files of the session's plan: in use, or archived when the plan is complete (specs 001, "Lifecycle"). */
export function renderClaudeRalph(
  state: SessionState,
  { config: { limits } }: DialectInput,
): ForeignFile[] {
  const plan = planIdOf(state.session.branch);
  const retries = retryQueueOf(state, { plan, attempts: limits.queue_attempts });
  const texts = {
    queue: renderQueue(state, plan),
    retries: retries && renderJson(retries),
  };
  const used = planPaths(plan);
  const kept = planPaths(plan, state.session.session_id);
  const isOver = phaseOf(state) === "complete";
  const [shown, gone] = isOver ? [kept, used] : [used, kept];
  return [
    ...agentFilesOf(state, plan, limits.parallel).map(({ agent, state }) =>
      agentFile({ agent, plan }, state),
    ),
    ...keys.map((key) => whole(shown[key], texts[key])),
    {
      path: shown.progress,
      locks: locksOf(shown.progress),
      ours: progressMark(state),
      merge: () => renderJson(progressOf(state, { plan, limits })),
    },
    ...[...keys, "progress" as const].map((key) => whole(gone[key], undefined)),
  ];
}

const keys = ["queue", "retries"] as const;

/** Changes "after each agent completion" (specs 001) and with the state of a task, not with every event. */
const progressMark = ({ tasks, tasksAt, end, usage }: SessionState): string => {
  const calls = tasks.flatMap(({ state, lastCall }) =>
    state === "running" ? [lastCall?.role, lastCall?.iteration] : [],
  );
  return JSON.stringify([tasksAt, end?.at, usage, calls]);
};

const whole = (path: string, text: string | undefined): ForeignFile => ({
  path,
  locks: locksOf(path),
  text,
});

/** The file name does not contain the plan, so a file of another plan is not removed. */
function agentFile({ agent, plan }: { agent: string; plan: string }, state?: object): ForeignFile {
  const path = agentPath(agent);
  if (state) return whole(path, renderJson(state));
  const isOurs = (text?: string) => parseAgent(text)?.plan_id === plan;
  return {
    path,
    locks: locksOf(path),
    ours: "",
    merge: (text) => (isOurs(text) ? null : undefined),
  };
}
