import type { FactOf, Stamp } from "./event.ts";
import { type EndedRepair, type OpenRepair, type Repairs, uncommittedRepair } from "./repairs.ts";
import type { SessionState } from "./session-state.ts";
import { addUsage } from "./usage.ts";
import { noVerification } from "./verification.ts";

const noRepairs: Repairs = { ended: [], earlier: 0 };

type RepairFact = FactOf<
  "fix_start" | "fix_call_start" | "fix_call_end" | "fix_checked" | "fix_end" | "fix_committed"
>;

/** Applies one fact of a repair. Pure. */
export function applyRepair(state: SessionState, event: RepairFact & Stamp): SessionState {
  const repairs = state.repairs ?? noRepairs;
  if (event.type === "fix_start") return started(state, repairs, event);
  if (event.type === "fix_committed") return committed(state, repairs, event);
  const { open } = repairs;
  if (!open) throw new Error("The journal goes on with a repair that has not begun.");
  const going = (next: OpenRepair) => ({ ...state, repairs: { ...repairs, open: next } });
  switch (event.type) {
    case "fix_call_start":
      return state;
    case "fix_call_end":
      return going(called(open, event));
    case "fix_checked":
      return going({ ...open, checked: event });
    case "fix_end":
      return ended(state, { repairs, open }, event);
  }
}

function started(
  state: SessionState,
  repairs: Repairs,
  { phase, iteration, limit, tree, failure }: FactOf<"fix_start">,
): SessionState {
  const { verification: before = noVerification } = state;
  const about = { phase, iteration, limit, failure };
  const fresh = { answers: {}, calls: {}, refused: [], usage: {} };
  return {
    ...state,
    repairs: { ...repairs, open: { ...about, base: tree, tree, before, ...fresh } },
  };
}

function called(open: OpenRepair, event: FactOf<"fix_call_end">): OpenRepair {
  const { role, outcome, signal, tree, refused, usage } = event;
  const body = signal.kind === "valid" ? signal.body : undefined;
  return {
    ...open,
    tree,
    refused,
    usage: addUsage(open.usage, usage),
    calls: { ...open.calls, [role]: (open.calls[role] ?? 0) + 1 },
    ...(outcome.kind === "answered" && { answers: { ...open.answers, [role]: body } }),
  };
}

/** What broke something was taken back, so what was seen before it counts again. */
function ended(
  state: SessionState,
  { repairs: { open: _, ...repairs }, open }: { repairs: Repairs; open: OpenRepair },
  { outcome, detail, files, tree, parent, ...stamp }: FactOf<"fix_end"> & Stamp,
): SessionState {
  const { phase, iteration, limit, failure, base, refused, calls, usage, answers, checked } = open;
  const repair: EndedRepair = {
    ...{ phase, iteration, limit, failure, base, tree, outcome, detail, files },
    ...{ claim: answers.fix, refused, calls, usage, findings: checked?.findings ?? [] },
    ...{ at: stamp.ts, anchor: `${stamp.seq - 1}:${stamp.prev}`, parent },
  };
  const pictures = state.verification?.pictures ?? 0;
  const stays = outcome === "kept" && parent === undefined;
  return {
    ...state,
    ...(stays && { headTree: tree }),
    ...(outcome === "broke" && { verification: { ...open.before, pictures } }),
    repairs: { ...repairs, ended: [...repairs.ended, repair] },
  };
}

function committed(
  state: SessionState,
  repairs: Repairs,
  { commit, tree }: FactOf<"fix_committed">,
): SessionState {
  const last = uncommittedRepair(state);
  if (!last) throw new Error("The journal commits a repair that was not kept.");
  const ended = [...repairs.ended.slice(0, -1), { ...last, commit }];
  return { ...state, head: commit, headTree: tree, repairs: { ...repairs, ended } };
}

/** Ends with a red verification: a person who starts the session again asks for new repairs. */
const gaveUp = new Set(["post_verify", "service", "gate_fatal"]);

/** A repair that was interrupted begins again; its calls stay counted in the session's cost. */
export function repairsAfterResume({ repairs, end }: SessionState): Pick<SessionState, "repairs"> {
  if (!repairs) return {};
  const { open: _, ...rest } = repairs;
  const isAsked = end !== undefined && gaveUp.has(end.reason);
  return { repairs: { ...rest, ...(isAsked && { earlier: rest.ended.length }) } };
}
