import type { StopReason } from "../../error.ts";
import type { OpenRepair, Repairs } from "../state/repairs.ts";
import type { SessionState } from "../state/session-state.ts";
import type { Verification } from "../state/verification.ts";
import {
  describeResult,
  type FixLimits,
  nextFix,
  verificationReason,
} from "../verify/judge-verification.ts";
import type { VerifyPlan } from "../verify/verify-plan.ts";
import type { Policy } from "./policy.ts";
import type { Step } from "./step.ts";

/** The next step of verification and repair after the last task (design 4). Undefined: green, or nothing is to be verified. Pure. */
export function verifyStep(
  state: SessionState,
  { verify, fixes }: Pick<Policy, "verify" | "fixes">,
  before: string,
): Step | undefined {
  if (!verify) return undefined;
  const { headTree, repairs } = state;
  if (repairs?.open) return repairStep(state, repairs.open, verify);
  const known = seenOf(state, headTree);
  if (!known) return { kind: "verify", tree: headTree };
  const reason = verificationReason(known);
  if (reason === "all_done") return undefined;
  const next = fixes && nextFix(known, countedRepairs(repairs), fixes);
  if (next?.kind === "fix") return { ...next, kind: "start-fix", limit: limitOf(fixes, next) };
  const why = next?.kind === "give-up" ? next.message : "";
  const message = [before, describeResult(known), why].filter((part) => part !== "").join(" ");
  return end(reason, message);
}

const limitOf = (fixes: FixLimits | undefined, { phase }: { phase: keyof FixLimits }) =>
  fixes?.[phase] ?? 0;

const end = (reason: StopReason, message: string): Step => ({ kind: "end", reason, message });

/** A person who starts the session again after it gave up asks for new repairs. */
const countedRepairs = ({ ended, earlier }: Repairs = { ended: [], earlier: 0 }) =>
  ended.slice(earlier);

function seenOf({ verification }: SessionState, tree: string): Verification | undefined {
  const phases = Object.values(verification?.phases ?? {});
  return phases.some((phase) => phase.tree === tree) ? verification : undefined;
}

/** Plan, repair, then everything that held before, then the program again. */
function repairStep(state: SessionState, open: OpenRepair, { isInPlace }: VerifyPlan): Step {
  const { answers, tree, base, checked, before } = open;
  if (!("planning" in answers)) return { kind: "call-fixer", role: "planning" };
  if (!("fix" in answers)) return { kind: "call-fixer", role: "fix" };
  if (tree === base) return endFix("unchanged", "It changed nothing.");
  // In the work tree gates are a phase of the verification.
  if (!isInPlace && checked?.tree !== tree) return { kind: "check-fix", tree };
  if (checked && checked.failures.length > 0) return endFix("broke", checked.failures.join("; "));
  const seen = seenOf(state, tree);
  if (!seen) return { kind: "verify", tree };
  const { gates } = seen.phases;
  const isBroken = gates?.status === "failed" && before.phases.gates?.status === "passed";
  return isBroken ? endFix("broke", gates.detail) : endFix("kept", describeResult(seen));
}

const endFix = (outcome: Extract<Step, { kind: "end-fix" }>["outcome"], detail: string): Step => ({
  kind: "end-fix",
  outcome,
  detail,
});
