/**
 * A program that was written from specs 000 alone: the session's scope first, the root's only where the session has no
 * file, and nothing but the frozen words. It shares no code with what it reads.
 */
export function seenBySpecification(tree: ReadonlyMap<string, string>, explicit?: string) {
  const pointer = tree.get(".omx/state/session.json");
  const session = explicit ?? (pointer ? JSON.parse(pointer).session_id : undefined);
  const scoped = session && tree.get(`.omx/state/sessions/${session}/ralph-state.json`);
  const text = scoped ?? tree.get(".omx/state/ralph-state.json");
  if (text === undefined) return undefined;
  const state = JSON.parse(text);
  requireFrozen(state);
  return { phase: state.current_phase, isActive: state.active, iteration: state.iteration };
}

function requireFrozen(state: Record<string, unknown>): void {
  const words = "starting executing verifying fixing complete failed cancelled".split(" ");
  const ends = ["complete", "failed", "cancelled"];
  const isTime = (value: unknown) => typeof value === "string" && !Number.isNaN(Date.parse(value));
  const isOver = ends.includes(String(state.current_phase));
  const broken = [
    typeof state.active === "boolean" || "active is required",
    words.includes(String(state.current_phase)) || "the phase is none of the frozen ones",
    state.active !== isOver || "an end is inactive, everything else is active",
    !isOver || isTime(state.completed_at) || "an end has a time",
    Number.isInteger(state.iteration) || "iteration is required while active",
    Number.isInteger(state.max_iterations) || "max_iterations is required while active",
    isTime(state.started_at) || "started_at is a time",
  ].filter((each) => each !== true);
  if (broken.length > 0) throw new Error(broken.join("; "));
}
