import { renderJson } from "../json-text.ts";
import type { Mode } from "./paths.ts";
import { omxPhase } from "./schema/phase.ts";
import type { OmxState } from "./schema/state.ts";

/**
 * A state with some of its keys changed; all others stay, in their order. An older word for a phase of ralph is written
 * as one of the seven, and which it was (compatibility 2).
 */
export function renderChanged(mode: Mode, state: OmxState, changes: Partial<OmxState>): string {
  return renderJson({ ...state, ...(mode === "ralph" ? normalized(state) : {}), ...changes });
}

function normalized({ current_phase: word }: OmxState): Partial<OmxState> {
  const phase = word === undefined ? undefined : omxPhase(word);
  if (phase === undefined || phase === word) return {};
  return { current_phase: phase, ralph_phase_normalized_from: word };
}
