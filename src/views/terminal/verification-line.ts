import type { FactOf } from "../../core/state/event.ts";
import type { RepairFact } from "../../core/state/repair-event.ts";
import type { VerifyFact } from "../../core/state/verify-event.ts";
import { renderCost, renderDuration, shortCommit } from "../../text/figures.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import { describeOutcome } from "../summary/describe.ts";
import { renderGates } from "../summary/proof.ts";
import { isGreen } from "../summary/summary-proof.ts";
import { picturePath } from "../summary/summary-verification.ts";
import { bad, type Description, good, plain } from "./line-marks.ts";

/** One line for each service and test. `pictures`: how many there are after the event, as they number the files. */
export function describeVerification(event: VerifyFact, pictures: number): Description {
  switch (event.type) {
    case "verify_start":
      return plain("the program is verified", "verbose");
    case "service_start": {
      const { service, port, command } = event;
      return plain(plainLine(`${service} starts on port ${port}: ${command}`, 400), "verbose");
    }
    case "service_ready":
      return good(plainLine(`${event.service} is up on ${event.url}, ${renderDuration(event.ms)}`));
    case "service_failed":
      return withOutput(`${event.service}: ${event.detail}`);
    case "service_stop":
      return plain(plainLine(`${event.service} stopped, ${renderDuration(event.ms)}`), "verbose");
    case "ui_test_start":
      return plain(plainLine(`${event.framework} test ${event.test}`), "verbose");
    case "ui_test_end":
      return testEnd(event, pictures);
    case "verify_phase_end":
      return phaseEnd(event);
    case "page_seen": {
      const shown = event.picture ? "seen" : "could not be shown";
      return plain(plainLine(`${event.page} ${event.when} ${event.task}: ${shown}`), "verbose");
    }
  }
}

/** One line for each event of a repair. */
export function describeRepair(event: RepairFact | FactOf<"fix_checked">): Description {
  switch (event.type) {
    case "fix_start": {
      const { iteration, limit, phase } = event;
      return plain(`fix ${iteration} of ${limit} for ${phase}: plan, then repair`);
    }
    case "fix_call_start": {
      const { role, driver, model } = event;
      return plain(plainLine(`${role} started (${[driver, model].filter(Boolean).join(" ")})`));
    }
    case "fix_call_end":
      return describeCallEnd(event);
    case "fix_checked":
      return checked(event);
    case "fix_end":
      return fixEnd(event);
    case "fix_committed":
      return good(`fix committed as ${shortCommit(event.commit)}`);
  }
}

type CallEnd = Pick<FactOf<"agent_end">, "role" | "ms" | "usage" | "outcome" | "signal"> &
  Partial<Record<"refused" | "trespassed" | "ignored", readonly string[]>>;

/** The end of an agent's call, with its cost and the changes that were not allowed. */
export function describeCallEnd(event: CallEnd): Description {
  const { role, ms, usage, outcome, signal, refused = [], trespassed = [], ignored = [] } = event;
  const named = (what: string, paths: readonly string[]) =>
    paths.length > 0 ? `${what}: ${paths.slice(0, 5).join(" ")}` : [];
  const parts = [
    `${role} ${describeOutcome(event)}`,
    renderDuration(ms),
    usage.cost_usd === undefined ? [] : renderCost(usage.cost_usd),
    named("reverted", [...refused, ...trespassed]),
    named("ignored files changed", ignored),
  ];
  const text = plainLine(parts.flat().join(", "), 400);
  const isGood = outcome.kind === "answered" && signal.kind === "valid";
  return isGood && signal.name !== "review-rejected" ? good(text) : bad(text, "normal");
}

/** One line for a gate that no task has asked for. */
export function describeGateRun(run: {
  gate: string;
  status: string;
  ms: number;
  detail: string;
}): Description {
  const text = `gate ${run.gate} ${run.status.replaceAll("_", " ")}, ${renderDuration(run.ms)}`;
  return isGreen(run) ? good(plainLine(text)) : withOutput(`${text}: ${run.detail}`);
}

function testEnd(event: FactOf<"ui_test_end">, pictures: number): Description {
  const { test, status, ms, detail, picture } = event;
  if (status === "passed") return good(plainLine(`${test} ${renderDuration(ms)}`));
  if (status === "skipped") return plain(plainLine(`${test} skipped: ${detail}`));
  const [first = "", ...more] = detail.split("\n");
  const shown = picture ? ` (${picturePath(test, pictures, picture)})` : "";
  return withOutput([`${test}: ${first}${shown}`, ...more].join("\n"));
}

function phaseEnd({ phase, status, ms, detail }: FactOf<"verify_phase_end">): Description {
  const text = plainLine(`${phase} ${status}, ${renderDuration(ms)}`);
  if (status === "passed") return good(text, "verbose");
  return phase === "gates" || (phase === "robot" && detail !== "")
    ? withOutput(`${phase}: ${detail}`)
    : bad(text, "verbose");
}

function checked({ gates, criteria, failures }: FactOf<"fix_checked">): Description {
  if (failures.length > 0)
    return bad(plainLine(`with the repair: ${failures.join("; ")}`, 600), "normal");
  const results = criteria.flatMap((unit) => unit.results);
  const open = results.filter(({ verdict }) => verdict === "to_judge").length;
  const held = `criteria hold: ${results.length - open} of ${results.length}`;
  const parts = [
    renderGates(gates),
    results.length === 0 ? "no criteria" : held,
    ...(open > 0 ? [`not judged again: ${open}`] : []),
  ];
  return plain(plainLine(`with the repair: ${parts.join("; ")}`, 600));
}

function fixEnd({ outcome, detail }: FactOf<"fix_end">): Description {
  if (outcome === "kept") return plain(plainLine(`the repair stays: ${detail}`, 400));
  const what = outcome === "broke" ? "the repair was taken back" : "the repair has no effect";
  return bad(plainLine(`${what}: ${detail}`, 400), "normal");
}

const shownLines = 20;

function withOutput(text: string): Description {
  const [first = "", ...more] = plainText(text).trim().split("\n");
  const output = more.slice(0, shownLines).map((line) => plainLine(line, 160));
  return { ...bad(plainLine(first, 600), "normal"), output };
}
