import type { FactOf } from "../../core/state/event.ts";
import type { RepairFact } from "../../core/state/repair-event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { noVerification } from "../../core/state/verification.ts";
import { redPhase } from "../../core/verify/judge-verification.ts";
import { plainLine } from "../../text/plain-text.ts";
import { describeOutcome } from "../summary/describe.ts";
import { infoLine, type Line, warningLine } from "./timeline-line.ts";

/**
 * The published names of repairs (specs 004 4.6): a loop starts with the first repair of a phase, each repair is an
 * iteration.
 */
export function repairLines(
  event: RepairFact | FactOf<"fix_checked">,
  { repairs }: SessionState,
): Line[] {
  switch (event.type) {
    case "fix_start": {
      const { phase, iteration, limit, failure } = event;
      const error = plainLine(failure, 1000);
      const next: Line = {
        event: "fix_loop_iteration",
        error,
        details: { phase, iteration, limit },
      };
      const start: Line = { event: "fix_loop_start", details: { phase, limit } };
      return iteration === 1 ? [start, next] : [next];
    }
    case "fix_call_start": {
      const { role, phase, iteration, driver, model } = event;
      const details = { phase, iteration, driver, ...(model && { model }) };
      return [{ event: "agent_start", role, details }];
    }
    case "fix_call_end":
      return callEnd(event);
    case "fix_checked": {
      const { failures, gates, criteria } = event;
      const counts = { gates: gates.length, tasks: criteria.length };
      return failures.length > 0
        ? [warningLine("not everything holds with the fix", { failures })]
        : [infoLine("gates and criteria hold with the fix", counts)];
    }
    case "fix_end": {
      const { phase, iteration, outcome, detail } = event;
      const about = { phase, iteration, detail: plainLine(detail, 1000) };
      return [{ ...infoLine("fix ended", about), status: outcome }];
    }
    case "fix_committed":
      return [infoLine("fix committed", { commit: event.commit, fix: repairs?.ended.length ?? 0 })];
  }
}

/** A loop of repairs ends with its session, whether or not everything is green. */
export function fixLoopEnd({
  repairs,
  resumedAt,
  verification = noVerification,
}: SessionState): Line[] {
  const here = repairs?.ended.filter(({ at }) => resumedAt === undefined || at > resumedAt) ?? [];
  if (here.length === 0 && !repairs?.open) return [];
  const status = redPhase(verification) === undefined && !repairs?.open ? "passed" : "failed";
  return [{ event: "fix_loop_end", status, details: { iterations: here.length } }];
}

function callEnd(event: FactOf<"fix_call_end">): Line[] {
  const { phase, iteration, role, outcome, signal, usage, ms, refused } = event;
  const about = { role, duration_ms: Math.round(ms) };
  const details = { phase, iteration, ...usage };
  if (outcome.kind !== "answered") {
    const error = plainLine(describeOutcome(event), 1000);
    return [{ event: "agent_failed", ...about, status: outcome.kind, error, details }];
  }
  const answer = signal.kind === "valid" ? { signal: signal.name } : { status: signal.kind };
  const reverted: Line[] =
    refused.length > 0 ? [{ ...warningLine("changes reverted", { refused }), role }] : [];
  return [{ event: "agent_complete", ...about, ...answer, details }, ...reverted];
}
