import type { PictureRef } from "../../core/state/measurement.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { type VerifyPhase, verifyPhases } from "../../core/state/verify-event.ts";
import { headOfFailure, redPhase } from "../../core/verify/judge-verification.ts";
import { shortCommit } from "../../text/figures.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";

type Level = "services" | "ui" | "robot" | "ui+robot";

/** How the program behaved when it ran after the last task; null when nothing but services for criteria ran. */
export function summarizeVerification({ verification }: SessionState) {
  const { phases = {}, tests = [] } = verification ?? {};
  const ran = verifyPhases.flatMap((phase) => phases[phase] ?? []);
  if (!verification || ran.length === 0) return null;
  const levels = [phases.browser ? "ui" : [], phases.robot ? "robot" : []].flat().join("+");
  return {
    level: (levels || "services") as Level,
    status: redPhase(verification) === undefined ? ("passed" as const) : ("failed" as const),
    phases: ran.map(({ phase, status, detail, files }) => ({
      ...{ phase, status, detail: plainText(detail).slice(0, 4000) },
      /** What Robot Framework or the script wrote, below the session directory. */
      files: Object.keys(files ?? {}).map((name) => resultPath(phase, name)),
    })),
    tests: tests.map(({ test, framework, status, detail, ms, picture, pictureNumber }) => ({
      name: plainLine(test, 200),
      ...{ framework, status, detail: plainText(detail).slice(0, 4000) },
      duration_ms: Math.round(ms),
      /** Below the session directory; null without a picture. */
      picture: picture && pictureNumber ? picturePath(test, pictureNumber, picture) : null,
    })),
  };
}

/** `artifacts/screenshots/002-dashboard.png`: names of tests are the project's, so only their letters are used. */
export const picturePath = (
  name: string,
  number: number,
  { kind = "png" }: { kind?: PictureRef["kind"] | "png" },
): string => `artifacts/screenshots/${numberedName(name, number)}.${kind}`;

/** `artifacts/robot/log.html`: a file that a phase's own program wrote. */
export const resultPath = (phase: VerifyPhase, name: string): string =>
  `artifacts/${phase === "robot" ? "robot" : "screenshots"}/${name}`;

/** `002-dashboard`. */
export function numberedName(name: string, number: number): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${String(number).padStart(3, "0")}-${words.join("-").slice(0, 40) || "page"}`;
}

/** A repair of the program after the last task. */
export type RepairSummary = ReturnType<typeof summarizeRepairs>[number];

export const summarizeRepairs = ({ repairs }: SessionState) =>
  (repairs?.ended ?? []).map((repair, index) => ({
    /** Its name in messages and in the clean room. */
    name: `repair ${index + 1}`,
    phase: repair.phase,
    outcome: repair.outcome,
    /** What failed, in short and whole, and what the check after the repair says. */
    what: plainLine(headOfFailure(repair.failure), 300),
    failure: plainLine(repair.failure, 1000),
    result: plainLine(repair.detail, 1000),
    /** What the fixer says it changed; null without a valid signal. */
    claim: repair.claim === undefined ? null : plainLine(repair.claim, 400),
    files: repair.files.slice(0, 50).map(({ path }) => plainLine(path)),
    /** Paths that were put back: tests and protected files. */
    refused: repair.refused.slice(0, 20).map((path) => plainLine(path)),
    commit: repair.commit ? shortCommit(repair.commit) : null,
    cost_usd: repair.usage.cost_usd ?? null,
    calls: repair.calls,
    findings: repair.outcome === "kept" ? repair.findings : [],
  }));
