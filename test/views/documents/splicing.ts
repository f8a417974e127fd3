import type { Fact } from "../../../src/core/state/event.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import type { SpliceView } from "../../../src/views/view.ts";
import { agentEnd, passing, runOf, task } from "../../support/builders/session.ts";

export const richClaim = `## Changes
- Added login

## Verification
- npm test: 12 passed

## Learnings
- Secrets need 32 characters

## Patterns
- Services are injected`;

/** A run in which the tasks passed one after the other, each with this claim. */
export function passedRun(ids: readonly string[], claim = richClaim): SessionState {
  return runOf(
    ids.map((id) => task(id)),
    ids.flatMap((id) => passingWith(id, claim)),
  );
}

export function passingWith(id: string, claim: string): Fact[] {
  const signal = { kind: "valid", name: "task-done", body: claim } as const;
  return passing(id).map((fact) => {
    if (fact.type === "task_passed")
      return { ...fact, files: [{ status: "A", path: "src/login.ts" }] };
    const isClaim = fact.type === "agent_end" && fact.role === "implementation";
    return isClaim ? agentEnd(id, { signal }) : fact;
  });
}

/** Splices and proves on the way that a second splice changes nothing. */
export function spliceTwice(view: SpliceView, text: string | undefined, state: SessionState) {
  const once = view.splice(text, state);
  const twice = view.splice(once, state);
  if (twice !== once) throw new Error(`The second splice changed the text:\n${twice}`);
  return once;
}

/** Whether `text` became `spliced` by insertions alone: no byte removed, moved or changed. */
export function isOnlyInserted(text: string, spliced: string): boolean {
  let at = 0;
  for (const char of spliced) if (text.startsWith(char, at)) at += char.length;
  return at === text.length;
}
