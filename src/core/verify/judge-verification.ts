import type { StopReason } from "../../error.ts";
import type { Config } from "../../schema/config/config.ts";
import { counted } from "../../text/figures.ts";
import type { Verification } from "../state/verification.ts";
import { type VerifyPhase, verifyPhases } from "../state/verify-event.ts";

/** The first red phase, in order; undefined when every phase that ran is green. */
export function redPhase({ phases }: Verification): VerifyPhase | undefined {
  return verifyPhases.find((phase) => phases[phase]?.status === "failed");
}

/** The stop reason of a verification: a service outranks gates, and gates outrank tests. Pure. */
export function verificationReason({ phases }: Verification): StopReason {
  const red = verifyPhases.filter((phase) => phases[phase]?.status === "failed");
  if (red.includes("services")) return "service";
  if (red.includes("gates")) return "gate_fatal";
  return red.length > 0 ? "post_verify" : "all_done";
}

const nameOf = (phase: VerifyPhase) => (phase === "robot" ? "Robot Framework" : phase);

/** "Verified: gates, services, browser." or what failed. Pure. */
export function describeResult(verification: Verification): string {
  const ran = verifyPhases.filter((phase) => verification.phases[phase]);
  if (ran.length === 0) return "Nothing is configured that could be verified.";
  const red = ran.filter((phase) => verification.phases[phase]?.status === "failed");
  const list = (phases: readonly VerifyPhase[]) => phases.map(nameOf).join(", ");
  return red.length === 0 ? `Verified: ${list(ran)}.` : `Not verified: ${list(red)} failed.`;
}

/** How often each phase may be repaired. */
export type FixLimits = Readonly<Record<VerifyPhase, number>>;

/** The limits as configured; `asked`: one for all phases instead. */
export function fixLimits({ limits }: Pick<Config, "limits">, asked?: number): FixLimits {
  const { post_verify_iterations, ui_fix_iterations, robot_fix_iterations } = limits;
  return {
    gates: asked ?? post_verify_iterations,
    services: asked ?? post_verify_iterations,
    browser: asked ?? ui_fix_iterations,
    robot: asked ?? robot_fix_iterations,
  };
}

/** One repair: the phase that was red, how, and the tree it led to. */
type FixAttempt = { phase: VerifyPhase; failure: string; tree: string };

type FixStep =
  | { kind: "done" }
  | { kind: "fix"; phase: VerifyPhase; iteration: number; failure: string }
  | { kind: "give-up"; message: string };

/** The next step of the fix loop, from the last verification and the repairs so far. Pure. */
export function nextFix(
  verification: Verification,
  attempts: readonly FixAttempt[],
  limits: FixLimits,
): FixStep {
  const phase = redPhase(verification);
  if (phase === undefined) return { kind: "done" };
  if (verification.isPortTaken) {
    return { kind: "give-up", message: "No repair frees a port that another program holds." };
  }
  const last = attempts.at(-1);
  const failure = failureOf(verification, phase);
  const isStuck =
    attempts.filter((each) => each.tree === last?.tree && each.failure === failure).length > 1;
  if (isStuck) return { kind: "give-up", message: "The same failure twice with the same work." };
  const done = attempts.filter((attempt) => attempt.phase === phase).length;
  if (done >= limits[phase]) {
    return { kind: "give-up", message: `Still red after ${counted(done, "repair")} of ${phase}.` };
  }
  return { kind: "fix", phase, iteration: done + 1, failure };
}

/** The first line about a test, or about the phase where no test failed. */
export function headOfFailure(failure: string): string {
  const [first = "", named] = failure.split("\n");
  return named ?? first;
}

/** The failure, for the next prompt and to recognize it again. */
function failureOf({ phases, tests }: Verification, phase: VerifyPhase): string {
  const failed = tests.filter(
    ({ status, framework }) => status === "failed" && framework === phase,
  );
  const named = failed.map(({ test, detail }) => `${test}: ${detail}`);
  return [phases[phase]?.detail ?? "", ...named].filter((text) => text !== "").join("\n");
}
