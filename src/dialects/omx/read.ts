import { plainLine } from "../../text/plain-text.ts";
import type { ForeignRun, ForeignTree } from "../dialect.ts";
import type { Mode } from "./paths.ts";
import { isTerminal, omxPhase } from "./schema/phase.ts";
import type { OmxState } from "./schema/state.ts";
import { currentSession, type ModeFile, readModes } from "./scope.ts";

/**
 * The runs of every scope, newest first. A mode of the current session hides the same mode of the root scope; of modes
 * other than ralph only active ones are listed.
 */
export function readOmxRuns(tree: ForeignTree): ForeignRun[] {
  const seen = readModes(tree);
  const current = currentSession(tree);
  const own = seen.filter(({ session }) => session !== undefined && session === current);
  const isOverridden = ({ session, mode }: ModeFile) =>
    session === undefined && own.some((each) => each.mode === mode);
  return seen
    .filter((each) => !isOverridden(each) && (each.mode === "ralph" || each.state.active))
    .toSorted((a, b) => startOf(b) - startOf(a) || (a.path < b.path ? -1 : 1))
    .map(toRun);
}

const startOf = ({ state: { started_at } }: ModeFile) => Date.parse(started_at ?? "") || 0;

const toRun = ({ mode, session, path, state }: ModeFile): ForeignRun => ({
  id: session,
  path,
  isActive: state.active,
  phase: phaseOf(state),
  detail: describe(mode, state),
});

/** Other modes have their own phases, so only `active` is known of them. */
function phaseOf({ active, current_phase = "" }: OmxState): ForeignRun["phase"] {
  const phase = omxPhase(current_phase);
  if (phase && !(active && isTerminal(phase))) return phase;
  return active ? "executing" : "cancelled";
}

function describe(mode: Mode, state: OmxState): string {
  const { iteration, max_iterations: max, current_phase: word = "", stop_reason } = state;
  const count = max === undefined ? `iteration ${iteration}` : `iteration ${iteration} of ${max}`;
  const parts = [
    ...(mode === "ralph" ? [] : [mode]),
    ...(iteration === undefined ? [] : [count]),
    ...(word !== "" && omxPhase(word) === undefined ? [plainLine(word, 40)] : []),
    ...(stop_reason === undefined ? [] : [plainLine(stop_reason, 60)]),
  ];
  return parts.length > 0 ? parts.join(", ") : mode;
}
