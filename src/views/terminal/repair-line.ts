import type { FactOf } from "../../core/state/event.ts";
import type { RepairFact } from "../../core/state/repair-event.ts";
import { renderCost, renderDuration, shortCommit } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { describeOutcome } from "../summary/describe.ts";
import { renderGates } from "../summary/proof.ts";
import { bad, type Description, good, plain } from "./line-marks.ts";

/** One line for each event of a repair. */
export function describeRepair(event: RepairFact | FactOf<"fix_checked">): Description {
  switch (event.type) {
    case "fix_start":
      return plain(
        `fix ${event.iteration} of ${event.limit} for ${event.phase}: plan, then repair`,
      );
    case "fix_call_start": {
      const { role, driver, model } = event;
      return plain(plainLine(`${role} started (${[driver, model].filter(Boolean).join(" ")})`));
    }
    case "fix_call_end":
      return callEnd(event);
    case "fix_checked":
      return checked(event);
    case "fix_end":
      return fixEnd(event);
    case "fix_committed":
      return good(`fix committed as ${shortCommit(event.commit)}`);
  }
}

function callEnd(event: FactOf<"fix_call_end">): Description {
  const { role, ms, usage, outcome, signal, refused } = event;
  const parts = [
    `${role} ${describeOutcome(event)}`,
    renderDuration(ms),
    usage.cost_usd === undefined ? [] : renderCost(usage.cost_usd),
    refused.length > 0 ? `reverted: ${refused.slice(0, 5).join(" ")}` : [],
  ];
  const text = plainLine(parts.flat().join(", "), 400);
  return outcome.kind === "answered" && signal.kind === "valid" ? good(text) : bad(text, "normal");
}

function checked({ gates, criteria, failures }: FactOf<"fix_checked">): Description {
  if (failures.length > 0)
    return bad(plainLine(`with the repair: ${failures.join("; ")}`, 600), "normal");
  const results = criteria.flatMap((unit) => unit.results);
  const open = results.filter(({ verdict }) => verdict === "to_judge").length;
  const parts = [
    renderGates(gates),
    results.length === 0
      ? "no criteria"
      : `criteria hold: ${results.length - open} of ${results.length}`,
    ...(open > 0 ? [`not judged again: ${open}`] : []),
  ];
  return plain(plainLine(`with the repair: ${parts.join("; ")}`, 600));
}

function fixEnd({ outcome, detail }: FactOf<"fix_end">): Description {
  if (outcome === "kept") return plain(plainLine(`the repair stays: ${detail}`, 400));
  const what = outcome === "broke" ? "the repair was taken back" : "the repair has no effect";
  return bad(plainLine(`${what}: ${detail}`, 400), "normal");
}
