import type { ProofFinding } from "../../core/state/proof-event.ts";
import type { EndedRepair } from "../../core/state/repairs.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { headOfFailure } from "../../core/verify/next-fix.ts";
import { shortCommit } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";

/** A repair of the program after the last task. */
export interface RepairSummary {
  /** `repair 1`: its name in messages and in the clean room. */
  name: string;
  phase: EndedRepair["phase"];
  /** `broke`: it was taken back. */
  outcome: EndedRepair["outcome"];
  /** What failed, in short and whole, and what the check after the repair says. */
  what: string;
  failure: string;
  result: string;
  /** What the fixer says it changed; null without a valid signal. */
  claim: string | null;
  files: readonly string[];
  /** Paths that were put back: tests and protected files. */
  refused: readonly string[];
  commit: string | null;
  /** Null when no call reported a cost. */
  cost_usd: number | null;
  /** Ended calls of each role. */
  calls: EndedRepair["calls"];
  findings: readonly ProofFinding[];
}

export const summarizeRepairs = ({ repairs }: SessionState): RepairSummary[] =>
  (repairs?.ended ?? []).map((repair, index) => ({
    name: `repair ${index + 1}`,
    phase: repair.phase,
    outcome: repair.outcome,
    what: plainLine(headOfFailure(repair.failure), 300),
    failure: plainLine(repair.failure, 1000),
    result: plainLine(repair.detail, 1000),
    claim: repair.claim === undefined ? null : plainLine(repair.claim, 400),
    files: repair.files.slice(0, 50).map(({ path }) => plainLine(path)),
    refused: repair.refused.slice(0, 20).map((path) => plainLine(path)),
    commit: repair.commit ? shortCommit(repair.commit) : null,
    cost_usd: repair.usage.cost_usd ?? null,
    calls: repair.calls,
    findings: repair.outcome === "kept" ? repair.findings : [],
  }));
