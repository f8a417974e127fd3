import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { counted } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { ForeignFile } from "../dialect.ts";
import { parseAs, renderJson } from "../json-text.ts";
import { ledgerPath } from "./paths.ts";
import { OmxLedger } from "./schema/files.ts";

/** `ralph-progress.json`: a line for each ended task. Keys of other programs stay. */
export function renderLedger(state: SessionState): ForeignFile {
  const ours = knownLedger(state);
  const merge = (text: string | undefined) => renderJson({ ...parseAs(OmxLedger, text), ...ours });
  return { path: ledgerPath(state.session.session_id), locks: [], ours: renderJson(ours), merge };
}

const known = new WeakMap<SessionState["session"], { at: string; ledger: OmxLedger }>();

function knownLedger(state: SessionState): OmxLedger {
  const last = known.get(state.session);
  if (last?.at === state.tasksAt) return last.ledger;
  const ledger = ledgerOf(state);
  known.set(state.session, { at: state.tasksAt, ledger });
  return ledger;
}

function ledgerOf({ tasks, startedAt }: SessionState): OmxLedger {
  const ended = tasks
    .filter(isEnded)
    .toSorted((a, b) => (a.endedAt < b.endedAt ? -1 : 1))
    .map((task, index) => ({ index: index + 1, text: describe(task), at: task.endedAt }));
  return {
    schema_version: 2,
    created_at: startedAt,
    updated_at: ended.at(-1)?.at ?? startedAt,
    entries: ended.map(({ index, text }) => ({ index, text })),
  };
}

type Ended = TaskState & { endedAt: string };

const isEnded = (task: TaskState): task is Ended =>
  task.endedAt !== undefined && !task.passedBefore && task.state !== "running";

function describe({ task, state, iterations, endedAt, message }: Ended): string {
  const reason = message === undefined ? "" : ` - ${plainLine(message)}`;
  const title = plainLine(task.title, 100);
  return `${endedAt} ${task.id} ${state} after ${counted(iterations, "iteration")}: ${title}${reason}`;
}
