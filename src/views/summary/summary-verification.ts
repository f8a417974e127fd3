import type { SessionState } from "../../core/state/session-state.ts";
import type { VerifiedTest } from "../../core/state/verification.ts";
import { type VerifyPhase, verifyPhases } from "../../core/state/verify-event.ts";
import { redPhase } from "../../core/verify/judge-verification.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import { picturePath, resultPath } from "./picture-path.ts";

/** How the program behaved when it ran, after the last task. */
export interface VerificationSummary {
  level: "services" | "ui" | "robot" | "ui+robot";
  status: "passed" | "failed";
  phases: readonly PhaseSummary[];
  tests: readonly TestSummary[];
}

export interface PhaseSummary {
  phase: VerifyPhase;
  status: "passed" | "failed";
  detail: string;
  /** What Robot Framework or the script wrote, below the session directory. */
  files: readonly string[];
}

export interface TestSummary {
  name: string;
  framework: VerifiedTest["framework"];
  status: VerifiedTest["status"];
  /** What was expected, what the page showed instead, and the console's errors. */
  detail: string;
  duration_ms: number;
  /** Below the session directory; null without a picture. */
  picture: string | null;
}

/** Null when nothing was verified: services that ran for criteria say nothing about the whole. */
export function summarizeVerification({ verification }: SessionState): VerificationSummary | null {
  const { phases = {}, tests = [] } = verification ?? {};
  const ran = verifyPhases.flatMap((phase) => phases[phase] ?? []);
  if (!verification || ran.length === 0) return null;
  const levels = [phases.browser ? "ui" : [], phases.robot ? "robot" : []].flat().join("+");
  return {
    level: (levels || "services") as VerificationSummary["level"],
    status: redPhase(verification) === undefined ? "passed" : "failed",
    phases: ran.map(({ phase, status, detail, files }) => ({
      ...{ phase, status, detail: plainText(detail).slice(0, 4000) },
      files: Object.keys(files ?? {}).map((name) => resultPath(phase, name)),
    })),
    tests: tests.map(summarizeTest),
  };
}

const summarizeTest = ({
  test,
  framework,
  status,
  detail,
  ms,
  picture,
  pictureNumber,
}: VerifiedTest): TestSummary => ({
  name: plainLine(test, 200),
  framework,
  status,
  detail: plainText(detail).slice(0, 4000),
  duration_ms: Math.round(ms),
  picture: picture && pictureNumber ? picturePath(test, pictureNumber, picture) : null,
});
