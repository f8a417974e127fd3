import { phaseOf } from "../../core/state/phase.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import type { DialectInput, ForeignFile } from "../dialect.ts";
import { renderJson } from "../json-text.ts";
import { countIterations } from "../session-facts.ts";
import { sessionFile, statePath } from "./paths.ts";
import { renderLedger } from "./render-ledger.ts";
import { renderOmxPrd } from "./render-prd.ts";
import type { OmxSession } from "./schema/files.ts";
import type { OmxState } from "./schema/state.ts";
import { isOurs, parseSession } from "./scope.ts";

/** A ralph session in its own scope, with its list and its progress; the pointer to it comes last. */
export function renderOmx(state: SessionState, given: DialectInput): ForeignFile[] {
  const path = statePath("ralph", state.session.session_id);
  return [
    renderOmxPrd(state),
    renderLedger(state),
    { path, locks: [], text: renderJson(stateOf(state, given)) },
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
