import { renderJson } from "../json-text.ts";
import type { Mode } from "./paths.ts";
import { omxPhase } from "./schema/phase.ts";
import type { OmxState } from "./schema/state.ts";
import { parseModeState } from "./scope.ts";

/**
 * The state of a mode after another turn of an agent; undefined if the mode is inactive. A run that has used up its
 * iterations has failed.
 */
export function countTurn(
  mode: Mode,
  text: string,
  now: string,
): { text: string; state: OmxState } | undefined {
  const before = parseModeState(mode, text);
  if (!before?.active) return undefined;
  const iteration = (before.iteration ?? 0) + 1;
  const isOver = before.max_iterations !== undefined && iteration >= before.max_iterations;
  const changes = { iteration, last_turn_at: now, ...(isOver && exhausted(now)) };
  return { text: renderChanged(mode, before, changes), state: { ...before, ...changes } };
}

const exhausted = (now: string) => ({
  active: false,
  current_phase: "failed",
  completed_at: now,
  stop_reason: "max_iterations_reached",
});

/**
 * A state with changed keys; all others stay, in order. An older phase name of ralph is replaced by the current one and
 * recorded (compatibility 2).
 */
export function renderChanged(mode: Mode, state: OmxState, changes: Partial<OmxState>): string {
  return renderJson({ ...state, ...(mode === "ralph" ? normalized(state) : {}), ...changes });
}

function normalized({ current_phase: word }: OmxState): Partial<OmxState> {
  const phase = word === undefined ? undefined : omxPhase(word);
  if (phase === undefined || phase === word) return {};
  return { current_phase: phase, ralph_phase_normalized_from: word };
}
