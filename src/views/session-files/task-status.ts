import type { Role } from "../../core/state/roles.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { canonicalJson, sha256 } from "../../schema/session-files/checksum.ts";
import type { TaskStatusFile } from "../../schema/session-files/task-status.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { RenderView } from "../view.ts";
import { agentLogPath } from "./logs.ts";

/** `task-status.json` with its checksum inside (specs 004 4.5, compatibility 1.3). */
export const taskStatusJson: RenderView = {
  kind: "render",
  name: "task-status",
  path: "task-status.json",
  render: (state) => rendered(state).text,
};

/** `task-status.sha256`: only the digest of the file's bytes, as the specification's shell commands expect. */
export const taskStatusSha256: RenderView = {
  kind: "render",
  name: "task-status-checksum",
  path: "task-status.sha256",
  render: (state) => rendered(state).digest,
};

type Rendered = { text: string; digest: string };
type Entry = TaskStatusFile["tasks"][string];
/** A task's member of `tasks`, in the file's format and in the checksum's canonical form. */
type Member = { id: string; shown: string; canonical: string };

let latest: (Rendered & { updated: string; members: readonly Member[] }) | undefined;
const known = new WeakMap<TaskState, Member>();

/** Both files share one rendering, which is reused while no task changes. */
function rendered({ tasksAt, tasks }: SessionState): Rendered {
  const members = tasks.map(memberOf);
  if (latest?.updated === tasksAt && isSame(latest.members, members)) return latest;
  const text = render(tasksAt, members);
  latest = { updated: tasksAt, members, text, digest: `${sha256(text)}\n` };
  return latest;
}

const isSame = (some: readonly Member[], others: readonly Member[]) =>
  some.length === others.length && some.every(({ shown }, at) => shown === others[at]?.shown);

const joinCanonical = createJoin(({ canonical }) => canonical, ",");
const joinShown = createJoin(({ shown }) => shown, ",\n");

/** The output of JSON.stringify, joined from the cached texts of the tasks: only a changed task is rendered. */
function render(updated: string, tasks: readonly Member[]): string {
  const inner = joinCanonical(tasks.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  const canonical = `{"last_updated":${JSON.stringify(updated)},"tasks":{${inner}}}`;
  return `{
  "checksum": "sha256:${sha256(canonical)}",
  "last_updated": ${JSON.stringify(updated)},
  "tasks": {
${joinShown(tasks)}
  }
}
`;
}

const blockSize = 50;

/** Joins long lists with few changes: a block of unchanged members keeps its text. */
function createJoin(textOf: (member: Member) => string, separator: string) {
  let blocks: { members: readonly Member[]; text: string }[] = [];
  return (members: readonly Member[]): string => {
    const parts = Array.from({ length: Math.ceil(members.length / blockSize) }, (_, at) =>
      members.slice(at * blockSize, (at + 1) * blockSize),
    );
    blocks = parts.map((part, at) => {
      const last = blocks[at];
      if (last && isSame(last.members, part)) return last;
      return { members: part, text: part.map(textOf).join(separator) };
    });
    return blocks.map(({ text }) => text).join(separator);
  };
}

function memberOf(task: TaskState): Member {
  const made = known.get(task);
  if (made) return made;
  const { id } = task.task;
  const entry = entryOf(task);
  const lines = JSON.stringify(entry, null, 2).replaceAll("\n", "\n    ");
  const shown = `    ${JSON.stringify(id)}: ${lines}`;
  const fresh = { id, shown, canonical: `${canonicalJson(id)}:${canonicalJson(entry)}` };
  known.set(task, fresh);
  return fresh;
}

function entryOf(task: TaskState): Entry {
  const { startedAt, endedAt, state, iterations, message, lastFailure } = task;
  const failure = message ?? (lastFailure && `${lastFailure.because}: ${lastFailure.feedback}`);
  const outputs = agentOutputs(task);
  return {
    passes: state === "passed",
    ...(startedAt && { started_at: startedAt }),
    ...(endedAt && state === "passed" && { completed_at: endedAt }),
    ...(startedAt && { iterations }),
    ...(failure && state !== "passed" && { last_failure: plainLine(failure, 500) }),
    ...(outputs && { agent_outputs: outputs }),
  };
}

/** Shown when the task has ended, so that the status does not change with every call. */
function agentOutputs({ task, calls, state }: TaskState): Entry["agent_outputs"] {
  if (state === "running") return undefined;
  const roles = (["implementation", "test_writing", "review"] satisfies Role[]).filter(
    (role) => calls[role],
  );
  if (roles.length === 0) return undefined;
  return Object.fromEntries(roles.map((role) => [role, agentLogPath(role, task.id)]));
}
