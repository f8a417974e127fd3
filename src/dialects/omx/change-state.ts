import type { CancelRequest, ForeignFile, ForeignTree, SettleRequest } from "../dialect.ts";
import { removed, renderJson, wholeFile } from "../json-text.ts";
import { lockOf, type Mode, omxFileAt, sessionFile } from "./paths.ts";
import { isOurPrd } from "./render-prd.ts";
import { isTerminal, type OmxState, omxPhase } from "./schema/state.ts";
import {
  authoritative,
  currentSession,
  isOurs,
  type ModeFile,
  parseModeState,
  parseSession,
  readModes,
} from "./scope.ts";

/** The state of a mode after another turn: failed without iterations left; undefined if the mode is inactive. */
export function countTurn(
  mode: Mode,
  text: string,
  now: string,
): { text: string; state: OmxState } | undefined {
  const before = parseModeState(mode, text);
  if (!before?.active) return undefined;
  const iteration = (before.iteration ?? 0) + 1;
  const isOver = before.max_iterations !== undefined && iteration >= before.max_iterations;
  const changes = {
    iteration,
    last_turn_at: now,
    ...(isOver && failed(now, "max_iterations_reached")),
  };
  return { text: renderChanged(mode, before, changes), state: { ...before, ...changes } };
}

const failed = (now: string, stop_reason: string) => ({
  ...{ active: false, current_phase: "failed", completed_at: now, stop_reason },
});

/** A state with changed keys, in order. An older phase name of ralph is replaced and recorded (compatibility 2). */
function renderChanged(mode: Mode, state: OmxState, changes: Partial<OmxState>): string {
  return renderJson({ ...state, ...(mode === "ralph" ? normalized(state) : {}), ...changes });
}

function normalized({ current_phase: word }: OmxState): Partial<OmxState> {
  const phase = word === undefined ? undefined : omxPhase(word);
  if (phase === undefined || phase === word) return {};
  return { current_phase: phase, ralph_phase_normalized_from: word };
}

/**
 * Ends ralph and its linked modes in one scope (compatibility 2, "cancel contract"): first the team, whose end ralph then
 * records, then ultrawork and ecomode, then ralph. If ralph is inactive, ends all active modes.
 */
export function cancelOmx(tree: ForeignTree, { id, now }: CancelRequest): ForeignFile[] {
  const named = readModes(tree).filter(({ session }) => session === id);
  const scope = id === undefined ? authoritative(tree, currentSession(tree)) : named;
  const ralph = scope.find(({ mode, state }) => mode === "ralph" && state.active);
  if (!ralph) return scope.flatMap((each) => cancelMode(each, now));
  const linked = linkedModes(ralph.state);
  const team = linked.includes("team") ? scope.find(({ mode }) => mode === "team") : undefined;
  const others = scope.filter(({ mode }) => mode !== "team" && linked.includes(mode));
  return [
    ...(team ? cancelMode(team, now) : []),
    ...others.flatMap((each) => cancelMode(each, now)),
    ...cancelMode(ralph, now, team && endOfTeam(team.state, now)),
  ];
}

const linkedModes = (state: OmxState): Mode[] =>
  (["team", "ultrawork", "ecomode"] as const).filter(
    (mode) => state[`linked_${mode}`] || state.linked_mode === mode,
  );

/** An ended team keeps its end; an active one is cancelled. */
function endOfTeam(team: OmxState, now: string): Partial<OmxState> {
  const phase = omxPhase(team.current_phase ?? "");
  const hasEnded = !team.active && isTerminal(phase);
  return {
    linked_team_terminal_phase: hasEnded ? phase : "cancelled",
    linked_team_terminal_at: (hasEnded && team.completed_at) || now,
  };
}

/** Decides by the content under the lock: the mode may have ended meanwhile. */
function cancelMode({ mode, path, state }: ModeFile, now: string, more: Partial<OmxState> = {}) {
  if (!state.active) return [];
  const end = { active: false, current_phase: "cancelled", completed_at: now, ...more };
  const merge = (text: string | undefined) => {
    const current = parseModeState(mode, text);
    return current?.active ? renderChanged(mode, current, end) : undefined;
  };
  return [{ path, locks: [lockOf(path)], ours: `cancelled ${now}`, merge }];
}

/** Ends the states of ralph's sessions that were interrupted, and removes their pointer and their lists. */
export function settleOmx(tree: ForeignTree, request: SettleRequest): ForeignFile[] {
  const own = readModes(tree).filter(({ session }) => session !== undefined && isOurs(session));
  const isPointer = isOurs(parseSession(tree.get(sessionFile))?.session_id ?? "");
  const lists = [...tree].filter(
    ([path, text]) => omxFileAt(path)?.kind === "prd" && isOurPrd(text),
  );
  return [
    ...own.flatMap((each) => settled(each, request)),
    ...(isPointer ? [removed(sessionFile)] : []),
    ...lists.map(([path]) => removed(path)),
  ];
}

function settled({ mode, path, session, state }: ModeFile, request: SettleRequest): ForeignFile[] {
  if (session === request.resumed) return [removed(path)];
  if (!state.active) return [];
  return [wholeFile(path, renderChanged(mode, state, failed(request.now, "interrupted")))];
}
