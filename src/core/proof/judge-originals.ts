import { firstOf } from "../../text/figures.ts";
import type { ProofPart } from "../state/proof-event.ts";
import { isMixedManifest } from "./manifest.ts";
import { isTestSupport } from "./own-tests.ts";
import { answerTo, classOfPart, countingGates, type ProofQuestion, runOf } from "./question.ts";
import { isAsked } from "./settings.ts";
import type { TreeClass } from "./tree-class.ts";
import type { Answer, Halt, Problem } from "./verdict.ts";

/** Old tests and settings on the task's work: run together first, apart only where they are red. */
export function checkOriginals(question: ProofQuestion): Answer {
  const { plan } = question.proof;
  const isOn = isAsked(question.settings, ["originals", "controls"]);
  if (!isOn || !plan?.trees.originals || countingGates(question).length === 0)
    return { findings: [] };
  const seen = seeParts(question);
  if ("halt" in seen) return seen;
  const { originals } = seen;
  const problem = judgeOriginals(seen, {
    oldTests: plan.old_tests,
    controls: plan.controls,
    keepsBehaviour: question.keepsBehaviour,
    isAskedFor: plan.old_tests.every((path) => names(question.words, path)),
  });
  const answer = answerTo(question, problem ? [problem] : []);
  if ("halt" in answer) return answer;
  const flaky = originals.kind === "flaky" ? [flakyFinding(originals.gate)] : [];
  return { findings: [...answer.findings, ...flaky], figures: { originals: figureOf(seen) } };
}

/** Where only the task's own tests need newer helpers, old tests hold all the same. */
export const heldWithoutNew = "green without the new ones";

const figureOf = ({ originals, old_suite }: Parts) =>
  isTreeRed(originals) && old_suite?.kind === "green" ? heldWithoutNew : originals.kind;

/** The classes the original files lead to; a part that was not needed, or that the task has not, is absent. */
type Parts = Partial<Record<ProofPart, TreeClass>> & { originals: TreeClass };

const parts = ["originals", "old_suite", "controls", "tests", "first", "first_old"] as const;

/** The classes as far as they are needed: the halves and the new tests only where the whole is red. */
function seeParts(question: ProofQuestion): { halt: Halt } | Parts {
  const seen: Parts = { originals: { kind: "green" } };
  for (const part of parts) {
    const found = classOfPart(question, part);
    const run = runOf(question, part, found);
    if (run) return run;
    if (found) seen[part] = found;
    if (!isTreeRed(seen.originals) || (seen.old_suite?.kind === "green" && part === "controls"))
      break;
  }
  return seen;
}

export const flakyFinding = (gate: string) => ({
  kind: "finding" as const,
  check: "flaky" as const,
  message: `Gate "${gate}" gave different results on the same files; most of its runs were green.`,
  paths: [],
});

export interface OriginalsContext {
  oldTests: readonly string[];
  controls: readonly string[];
  /** The list says that the task changes no behaviour: no old expectation may move then. */
  keepsBehaviour: boolean;
  /** The task names every old test that changed. */
  isAskedFor: boolean;
}

/**
 * Judges old tests or settings that are red when laid over the work (checks `originals` and `controls`). An old test
 * that is red while the new tests also hold without the work was weakened; one whose new form is red without the work
 * was replaced, which people should see unless the task asks for it.
 */
export function judgeOriginals(
  seen: Parts,
  { oldTests, controls, keepsBehaviour, isAskedFor }: OriginalsContext,
): Problem | undefined {
  const failing = namesOf(seen.tests ?? seen.originals);
  if (seen.originals.kind === "unknown") {
    return {
      check: "originals",
      message: `The old tests could not be judged on this work: ${seen.originals.because}`,
      paths: oldTests,
      atWorst: "finding",
    };
  }
  if (!isTreeRed(seen.originals)) return undefined;
  if (seen.old_suite?.kind === "green") return judgeHelpers(seen, controls);
  const isControl = isTreeRed(seen.controls) || (!isTreeRed(seen.tests) && controls.length > 0);
  if (isControl) return ofSettings(seen, controls);
  const problem = { check: "originals", paths: oldTests } as const;
  if (keepsBehaviour) {
    return {
      ...problem,
      message: `The task list says that this task changes no behaviour, but old tests fail on its work: ${list(oldTests)}.${failing}`,
      atWorst: "refuse",
    };
  }
  if (!isTreeRed(seen.first)) {
    return {
      ...problem,
      message: `An old test was weakened: as it was before, it fails on this work, and the changed tests also pass without the work. Changed: ${list(oldTests)}.${failing}`,
      atWorst: "refuse",
    };
  }
  if (!isTreeRed(seen.first_old)) {
    return {
      ...problem,
      message: `Old tests fail on this work as they were before, and as they are now they pass without it: ${list(oldTests)}. Restore what they checked.${failing}`,
      atWorst: "ask",
    };
  }
  return {
    ...problem,
    message: `Old expectations were replaced${isAskedFor ? ", in files the task names" : ""}: ${list(oldTests)}.${failing}`,
    atWorst: isAskedFor ? "note" : "finding",
  };
}

/** Old tests hold; only new ones need what the task changed in helpers or settings. */
function judgeHelpers(seen: Parts, controls: readonly string[]): Problem | undefined {
  if (!seen.controls || seen.controls.kind === "green") return undefined;
  if (!controls.every(isTestSupport)) return ofSettings(seen, controls);
  const message = `New tests of this task need what it changed in ${list(controls)}; old tests also hold without that.`;
  return { check: "controls", message, paths: controls, atWorst: "note" };
}

function ofSettings({ originals, controls: seen }: Parts, controls: readonly string[]): Problem {
  return {
    check: "controls",
    message: `With the settings this task found, the gates are red on its work: ${list(controls)} changed.${namesOf(seen ?? originals)} Restore the settings and repair the code.`,
    paths: controls,
    // As it was, such a file may lack a package that the work needs.
    atWorst: controls.every(isMixedManifest) ? "finding" : "refuse",
  };
}

/** Whether a text names a file, by its path or its name. */
export function names(text: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return text.split(/[^\w./-]+/).some((word) => {
    const bare = word.replace(/^\.\//, "").replace(/[.,]+$/, "");
    return bare === path || bare === name;
  });
}

export const isTreeRed = (seen: TreeClass | undefined): boolean =>
  seen?.kind === "red" || seen?.kind === "load-error";

const maxNamed = 5;

/** Names explain; they never decide, because an honest edit renames a test. */
export function namesOf(seen: TreeClass): string {
  const failures = "failures" in seen ? seen.failures : [];
  return failures.length === 0 ? "" : ` These fail: ${firstOf(failures, maxNamed, "; ")}.`;
}

/** Paths in one line. */
export const list = (paths: readonly string[]): string =>
  firstOf(
    paths.map((path) => `\`${path}\``),
    maxNamed,
  );
