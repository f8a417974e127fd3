import { apply } from "../../../src/core/state/apply.ts";
import type { Fact, RunEvent, RunTask } from "../../../src/core/state/event.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import { events, sessionStart } from "../../support/builders/session.ts";

/** Every event with the state after it; commits have the length git gives them. */
export function realisticEvents(
  tasks: RunTask[],
  facts: readonly Fact[],
): { event: RunEvent; state: SessionState }[] {
  const first = sessionStart(tasks, { start: { commit: "c0".repeat(20), tree: "a0".repeat(20) } });
  let state: SessionState | undefined;
  return events([first, ...facts]).map((event) => {
    state = apply(state, event);
    return { event, state };
  });
}

export function realisticRun(tasks: RunTask[], facts: readonly Fact[]): SessionState {
  const last = realisticEvents(tasks, facts).at(-1);
  if (!last) throw new Error("unreachable: there is always a session_start");
  return last.state;
}
