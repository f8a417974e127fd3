import type { FactOf } from "../state/event.ts";
import type { EvidenceRef, PictureRef } from "../state/measurement.ts";
import type { VerifyFact } from "../state/verify-event.ts";

/** How far the clean room looked at the program as it runs. */
export const programLevels = ["none", "services", "ui", "robot", "ui+robot"] as const;
export type ProgramLevel = (typeof programLevels)[number];

/** The start of the services, a test of the user interface, or a phase that failed without a red test of its own. */
export interface ProvedPart {
  phase: "services" | "browser" | "robot";
  /** That of the test; absent for a phase as a whole. */
  name?: string;
  status: "passed" | "failed" | "skipped";
  ok: boolean;
  ms: number;
  /** Why it is red, or was skipped. */
  because?: string;
  /** What the page was, or what the suite printed. */
  output?: EvidenceRef;
  picture?: PictureRef;
}

/** The program as it runs on a head: services, browser tests, Robot Framework. Plain data. */
export interface ProvedProgram {
  level: ProgramLevel;
  parts: readonly ProvedPart[];
  /** What was left out, each with its reason: `browser tests (no Chromium)`. */
  missing: readonly string[];
  /** The files that Robot Framework or the script wrote, by name. */
  files: Readonly<Record<string, EvidenceRef>>;
}

/** Folds a fact of the verification; one that says nothing about the verdict leaves all as it is. Pure. */
export function withProgramFact(program: ProvedProgram, fact: VerifyFact): ProvedProgram {
  switch (fact.type) {
    case "ui_test_end":
      return { ...program, parts: [...program.parts, partOfTest(fact)] };
    case "verify_phase_end": {
      const { phase, files = {} } = fact;
      if (phase === "gates") return program;
      const known = { ...program, files: { ...program.files, ...files } };
      const level = deeper(program.level, phase);
      return { ...known, level, parts: withPhase(program.parts, partOfPhase(fact, phase)) };
    }
    default:
      return program;
  }
}

const partOfTest = ({
  framework: phase,
  test: name,
  status,
  ms,
  detail,
  snapshot,
  picture,
}: FactOf<"ui_test_end">): ProvedPart => ({
  ...{ phase, name, status, ok: status !== "failed", ms: Math.round(ms) },
  ...(detail !== "" && { because: detail }),
  ...(snapshot && { output: snapshot }),
  ...(picture && { picture }),
});

const partOfPhase = (
  { status, detail, ms, output }: FactOf<"verify_phase_end">,
  phase: ProvedPart["phase"],
): ProvedPart => ({
  ...{ phase, status, ok: status === "passed", ms: Math.round(ms) },
  ...(detail !== "" && { because: detail }),
  ...(output && { output }),
});

/** Tests speak for their phase; services that end later are red, although they were up. */
function withPhase(parts: readonly ProvedPart[], part: ProvedPart): ProvedPart[] {
  const { phase, ok } = part;
  const others = parts.filter((each) => each.phase !== phase || phase !== "services");
  const isReported = ok || others.some((each) => each.phase === phase && !each.ok);
  return phase !== "services" && isReported ? others : [...others, part];
}

function deeper(level: ProgramLevel, phase: ProvedPart["phase"]): ProgramLevel {
  if (phase === "services") return level === "none" ? "services" : level;
  if (phase === "browser") return "ui";
  return level === "ui" ? "ui+robot" : "robot";
}

/** The tests that ran, skipped ones left out. */
export const testsOf = ({ parts }: ProvedProgram): ProvedPart[] =>
  parts.filter(({ phase, status }) => phase !== "services" && status !== "skipped");

export const nameOfPart = ({ phase, name }: Pick<ProvedPart, "phase" | "name">): string =>
  name === undefined ? names[phase].whole : `${names[phase].one} ${name}`;

const names = {
  services: { whole: "services", one: "service" },
  browser: { whole: "browser tests", one: "browser test" },
  robot: { whole: "Robot Framework", one: "test of Robot Framework" },
};
