import type { StopReason } from "../../error.ts";
import type { Verification } from "../state/verification.ts";
import { type VerifyPhase, verifyPhases } from "../state/verify-event.ts";

const reasons: Readonly<Record<VerifyPhase, StopReason>> = {
  gates: "gate_fatal",
  services: "service",
  browser: "post_verify",
  robot: "post_verify",
};

/** The first red phase, in order; undefined when every phase that ran is green. */
export function redPhase({ phases }: Verification): VerifyPhase | undefined {
  return verifyPhases.find((phase) => phases[phase]?.status === "failed");
}

/** The stop reason of a verification: a service outranks gates, and gates outrank tests. Pure. */
export function verificationReason({ phases }: Verification): StopReason {
  const red = verifyPhases.filter((phase) => phases[phase]?.status === "failed");
  if (red.includes("services")) return "service";
  const [first] = red;
  return first === undefined ? "all_done" : reasons[first];
}

const names: Readonly<Record<VerifyPhase, string>> = {
  gates: "gates",
  services: "services",
  browser: "browser",
  robot: "Robot Framework",
};

/** "Verified: gates, services, browser." or what failed. Pure. */
export function describeResult(verification: Verification): string {
  const ran = verifyPhases.filter((phase) => verification.phases[phase]);
  if (ran.length === 0) return "Nothing is configured that could be verified.";
  const red = ran.filter((phase) => verification.phases[phase]?.status === "failed");
  const list = (phases: readonly VerifyPhase[]) => phases.map((phase) => names[phase]).join(", ");
  return red.length === 0 ? `Verified: ${list(ran)}.` : `Not verified: ${list(red)} failed.`;
}
