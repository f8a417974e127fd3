import { checkMutants } from "./judge-mutants.ts";
import { isTreeRed } from "./judge-originals.ts";
import { holdsTests } from "./own-tests.ts";
import {
  answerTo,
  classOfPart,
  countingGates,
  executed,
  isWitnessTimeSpent,
  type ProofQuestion,
  runOf,
} from "./question.ts";
import { isAsked } from "./settings.ts";
import { classOf, type TreeClass } from "./tree-class.ts";
import type { Answer, Halt, Problem } from "./verdict.ts";

/** The task's tests without its work, then its changes taken back one by one, then some of them made wrong. */
export function checkWork(question: ProofQuestion): Answer {
  const { proof, settings, keepsBehaviour, hasTestWriter, isMerged } = question;
  const hasProduct = (proof.plan?.product.length ?? 0) > 0;
  const isOn = isAsked(settings, ["red_first", "witness"]);
  const isDue = isOn && hasProduct && hasTestWriter && !keepsBehaviour && !isMerged;
  if (!isDue || countingGates(question).length === 0) return { findings: [] };
  const laid = classOfPart(question, "first");
  const run = runOf(question, "first", laid);
  if (run) return run;
  const first = withOwnTests(question, laid);
  const hunks = isTreeRed(first) ? seeHunks(question) : [];
  if ("halt" in hunks) return hunks;
  const answer = answerTo(question, judgeRedFirst({ first, hunks }));
  if ("halt" in answer) return answer;
  const blind = isTreeRed(first) ? checkMutants(question) : { findings: [] };
  if ("halt" in blind) return blind;
  const witnessed = hunks.filter(({ seen }) => isTreeRed(seen)).length;
  const figures = { red_first: first?.kind ?? "no tests", witnessed, tried: hunks.length };
  return { findings: [...answer.findings, ...blind.findings], figures };
}

/** Tests within new files of the product, as in Rust, run on no other code: a witness has to speak for them. */
function withOwnTests(question: ProofQuestion, laid: TreeClass | undefined): TreeClass | undefined {
  const { product, tests } = question.proof.plan ?? { product: [], tests: [] };
  if (isTreeRed(laid) || tests.length > 0 || !product.some(holdsTests)) return laid;
  const more = countingGates(question).find(({ key, head }) => {
    const before = question.gates.find((gate) => gate.key === key)?.before;
    return executed(head) > executed(before?.tests);
  });
  return more ? { kind: "load-error", gate: more.name, failures: [] } : laid;
}

const changesOf = (plan: ProofQuestion["proof"]["plan"]) =>
  (plan?.hunks ?? []).filter(({ old_test }) => !old_test);

function seeHunks(question: ProofQuestion): { halt: Halt } | WorkSeen["hunks"][number][] {
  const { proof } = question;
  const hunks: WorkSeen["hunks"][number][] = [];
  for (const { path, line, tree } of changesOf(proof.plan)) {
    const seen = classOf(proof, countingGates(question), { tree, isSurprise: false });
    if (seen.kind === "pending" && isWitnessTimeSpent(question)) {
      const cut = { kind: "unknown", gate: seen.gate, because: "the time for it ran out" } as const;
      return hunks.some((hunk) => isTreeRed(hunk.seen))
        ? hunks
        : [...hunks, { path, line, seen: cut }];
    }
    if (seen.kind === "pending")
      return { halt: { kind: "run", part: "hunk", tree, gate: seen.gate } };
    hunks.push({ path, line, seen });
  }
  return hunks;
}

/** The new tests on the base, and what became of the changes that were taken back. */
export interface WorkSeen {
  /** Undefined when the task brought no test. */
  first: TreeClass | undefined;
  hunks: readonly { path: string; line: number; seen: TreeClass }[];
}

/** Judges new tests that pass without the work, or when its changes are taken back. A load error needs a witness to count as red. */
export function judgeRedFirst({ first, hunks }: WorkSeen): Problem[] {
  const witnessed = hunks.filter(({ seen }) => isTreeRed(seen));
  const isLoadOnly = first?.kind === "load-error" && hunks.length > 0 && witnessed.length === 0;
  if (first?.kind === "unknown") {
    return [
      redFirst(`The new tests could not be judged without the work: ${first.because}`, "finding"),
    ];
  }
  if (!first) {
    const message =
      "This task brings no test, so no test fails without it. Write one that does; where none is possible, the task list says `requiresTests: false`.";
    return [{ ...redFirst(message, "refuse"), isFirm: true }];
  }
  if (!isTreeRed(first) || isLoadOnly) {
    return [
      redFirst(
        "No test of this task fails without its work. Write one that fails before the change and passes after it.",
        "refuse",
      ),
    ];
  }
  const unknown = hunks.flatMap(({ seen }) => (seen.kind === "unknown" ? [seen] : []))[0];
  if (unknown && witnessed.length === 0) {
    const message = `Nothing shows that a test fails when one of the changes is taken back: ${unknown.because}`;
    return [{ check: "witness", message, paths: pathsOf(hunks), atWorst: "finding" }];
  }
  if (hunks.length > 0 && witnessed.length === 0) {
    return [
      {
        check: "witness",
        message:
          "The new tests fail without this work, but no test fails when any of its changes is taken back alone. The tests do not depend on the code that was changed.",
        paths: pathsOf(hunks),
        atWorst: "refuse",
      },
    ];
  }
  if (witnessed.length * 2 >= hunks.length) return [];
  const unnoticed = hunks.filter(({ seen }) => !isTreeRed(seen));
  return [
    {
      check: "witness",
      message: `No test fails when these changes are taken back: ${unnoticed.map(({ path, line }) => `\`${path}:${line}\``).join(", ")}`,
      paths: pathsOf(unnoticed),
      atWorst: "note",
    },
  ];
}

const redFirst = (message: string, atWorst: Problem["atWorst"]): Problem => ({
  check: "red_first",
  message,
  atWorst,
});

const pathsOf = (hunks: readonly { path: string }[]) => [...new Set(hunks.map(({ path }) => path))];
