import { phaseOf } from "../../core/state/phase.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { counted } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { DialectInput, ForeignFile } from "../dialect.ts";
import { checkBy, parsedBy, renderJson, wholeFile } from "../json-text.ts";
import { countIterations, createMemo } from "../session-facts.ts";
import { ledgerPath, sessionFile, statePath } from "./paths.ts";
import { renderOmxPrd } from "./render-prd.ts";
import { OmxLedger, type OmxSession } from "./schema/files.ts";
import type { OmxState } from "./schema/state.ts";
import { isOurs, parseSession } from "./scope.ts";

/** A ralph session in its own scope, with its list and its progress; the pointer to it comes last. */
export function renderOmx(state: SessionState, given: DialectInput): ForeignFile[] {
  const path = statePath("ralph", state.session.session_id);
  return [
    renderOmxPrd(state),
    renderLedger(state),
    wholeFile(path, renderJson(stateOf(state, given))),
    renderPointer(state, given),
  ];
}

function stateOf(state: SessionState, given: DialectInput): OmxState {
  const phase = phaseOf(state);
  return {
    active: state.end === undefined,
    ...countIterations(state, given),
    current_phase: phase,
    started_at: state.resumedAt ?? state.startedAt,
    ...(state.end && { completed_at: state.end.at }),
    ...(state.end && phase !== "complete" && { stop_reason: state.end.reason }),
  };
}

/** Makes this session the current one, unless another one is alive; removed at the end. */
function renderPointer(state: SessionState, given: DialectInput): ForeignFile {
  const { session_id } = state.session;
  const file = { path: sessionFile, locks: [] };
  if (state.end) {
    const isNamed = (text?: string) => parseSession(text)?.session_id === session_id;
    return { ...file, ours: "", merge: (text) => (isNamed(text) ? null : undefined) };
  }
  const ours = renderJson(pointerOf(state, given));
  return { ...file, ours, merge: (text) => (isFree(text, given) ? ours : undefined) };
}

function pointerOf(state: SessionState, { root, process }: DialectInput): OmxSession {
  const { pid, startTicks, platform } = process;
  return {
    session_id: state.session.session_id,
    started_at: state.startedAt,
    cwd: root,
    pid,
    platform,
    ...(startTicks !== undefined && { pid_start_ticks: startTicks }),
  };
}

/** Ralph has one session at a time; another tool's session is alive while its process runs (compatibility 2). */
function isFree(text: string | undefined, { isRunning }: DialectInput): boolean {
  if (text === undefined) return true;
  const session = parseSession(text);
  if (!session) return false;
  if (isOurs(session.session_id)) return true;
  const { pid, pid_start_ticks: startTicks } = session;
  return pid !== undefined && isRunning?.({ pid, startTicks }) === false;
}

/** `ralph-progress.json`: a line for each ended task. Keys of other programs stay. */
function renderLedger(state: SessionState): ForeignFile {
  const ours = memo(state, state.tasksAt, () => ledgerOf(state));
  const merge = (text: string | undefined) => renderJson({ ...parseLedger(text), ...ours });
  return { path: ledgerPath(state.session.session_id), locks: [], ours: renderJson(ours), merge };
}

const parseLedger = parsedBy(checkBy(OmxLedger));

const memo = createMemo<OmxLedger>();

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
