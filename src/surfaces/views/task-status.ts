import { canonicalChecksum, sha256 } from "../../model/checksum.ts";
import type { TaskStatus } from "../../model/task-status.ts";
import type { Role } from "../../run/event.ts";
import type { Run, TaskRun } from "../../run/run.ts";
import { plainLine } from "../plain-text.ts";
import type { RenderSurface } from "../surface.ts";
import { agentLogPath } from "./log-path.ts";

/** `task-status.json` with its checksum inside (specs 004 4.5, compatibility 1.3). */
export const taskStatusJson: RenderSurface = {
  kind: "render",
  name: "task-status",
  path: "task-status.json",
  render: (run) => rendered(run).text,
};

/** `task-status.sha256`: the bare digest of the file's bytes, as the specification's shell lines expect. */
export const taskStatusSha256: RenderSurface = {
  kind: "render",
  name: "task-status-checksum",
  path: "task-status.sha256",
  render: (run) => rendered(run).digest,
};

type Rendered = { text: string; digest: string };
type Entry = TaskStatus["tasks"][string];

const renderings = new WeakMap<Run, Rendered>();
const entries = new WeakMap<TaskRun, Entry>();

/** Both files come from one rendering; a task that has not changed keeps its entry. */
function rendered(run: Run): Rendered {
  const known = renderings.get(run);
  if (known) return known;
  const content = { last_updated: run.ts, tasks: Object.fromEntries(run.tasks.map(named)) };
  const status: TaskStatus = { checksum: canonicalChecksum(content), ...content };
  const text = `${JSON.stringify(status, null, 2)}\n`;
  const fresh = { text, digest: `${sha256(text)}\n` };
  renderings.set(run, fresh);
  return fresh;
}

function named(task: TaskRun): [string, Entry] {
  const entry = entries.get(task) ?? entryOf(task);
  entries.set(task, entry);
  return [task.task.id, entry];
}

function entryOf(run: TaskRun): Entry {
  const { startedAt, endedAt, state, iterations, message, lastFailure } = run;
  const failure = message ?? (lastFailure && `${lastFailure.because}: ${lastFailure.feedback}`);
  const outputs = agentOutputs(run);
  return {
    passes: state === "passed",
    ...(startedAt && { started_at: startedAt }),
    ...(endedAt && state === "passed" && { completed_at: endedAt }),
    ...(startedAt && { iterations }),
    ...(failure && state !== "passed" && { last_failure: plainLine(failure, 500) }),
    ...(outputs && { agent_outputs: outputs }),
  };
}

function agentOutputs({ task, calls }: TaskRun): Entry["agent_outputs"] {
  const roles = (["implementation", "test_writing", "review"] satisfies Role[]).filter(
    (role) => calls[role],
  );
  if (roles.length === 0) return undefined;
  return Object.fromEntries(roles.map((role) => [role, agentLogPath(role, task.id)]));
}
