import type { FactOf } from "../state/event.ts";
import { isTreeRed, list } from "./judge-originals.ts";
import { isTestSupport } from "./own-tests.ts";
import {
  answerTo,
  classOfPart,
  countingGates,
  isWitnessTimeSpent,
  type ProofQuestion,
} from "./question.ts";
import { classOf, type TreeClass } from "./tree-class.ts";
import type { Answer, Halt, Problem } from "./verdict.ts";

/** Some changed lines made wrong: a test that judges what they answer fails. */
export function checkMutants(question: ProofQuestion): Answer {
  const seen = seeMutants(question);
  if ("halt" in seen) return seen;
  return answerTo(question, [...judgeMutants(seen), ...judgeHelped(question, seen)]);
}

type Planned = NonNullable<FactOf<"proof_planned">["mutants"]>[number];

/** How many changed lines of one file the tests notice; `lost`: they noticed such a change before this task. */
type Eyes = "noticed" | "unnoticed" | "lost" | "unclear";

/** A file whose lines were changed, and the first place that no test noticed. */
type SeenMutants = { path: string; line: number; eyes: Eyes };

/** Runs the mutants file by file, as far as they are needed: the first that a test notices ends a file. */
function seeMutants(question: ProofQuestion): { halt: Halt } | SeenMutants[] {
  const files = Map.groupBy(question.proof.plan?.mutants ?? [], ({ path }) => path);
  const seen: SeenMutants[] = [];
  for (const [path, mutants] of files) {
    const eyes = lookAt(question, mutants);
    if (typeof eyes === "object") return eyes;
    seen.push({ path, line: mutants.find(({ of }) => of === "work")?.line ?? 1, eyes });
  }
  return seen;
}

/**
 * The most telling line of the work decides, if a test notices it, or noticed one of the lines before it. Otherwise others
 * are tried, because one line alone may differ without any effect; not earlier, because lines that blind the tests break
 * them when they are made wrong.
 */
function lookAt(question: ProofQuestion, mutants: readonly Planned[]): { halt: Halt } | Eyes {
  const on = (side: Planned["of"]) => mutants.filter(({ of }) => of === side);
  const work = lookFor(question, on("work").slice(0, 1));
  if (work !== "unnoticed") return work === "unclear" ? lookFor(question, on("work")) : work;
  const before = lookFor(question, on("base"));
  if (before === "noticed") return "lost";
  return typeof before === "object" ? before : lookFor(question, on("work"));
}

/** Whether any of the lines is noticed; they run one after the other, as far as they are needed. */
function lookFor(question: ProofQuestion, mutants: readonly Planned[]): { halt: Halt } | Eyes {
  let eyes: Eyes = "unclear";
  for (const { tree } of mutants) {
    const seen = lookThrough(question, tree);
    if (typeof seen === "object" || seen === "noticed") return seen;
    if (seen === "unnoticed") eyes = seen;
  }
  return eyes;
}

function lookThrough(question: ProofQuestion, tree: string): { halt: Halt } | Eyes {
  const seen = classOf(question.proof, countingGates(question), { tree, isSurprise: false });
  if (seen.kind === "pending" && isWitnessTimeSpent(question)) return "unclear";
  if (seen.kind === "pending") return { halt: haltFor(seen, tree) };
  if (seen.kind === "red") return "noticed";
  return seen.kind === "green" ? "unnoticed" : "unclear";
}

const haltFor = ({ gate }: Extract<TreeClass, { kind: "pending" }>, tree: string): Halt => ({
  kind: "run",
  part: "mutant",
  tree,
  gate,
});

/** Judges changed code whose mutants fail no test (check `witness`). */
function judgeMutants(seen: readonly SeenMutants[]): Problem[] {
  const of = (eyes: Eyes) => seen.filter((each) => each.eyes === eyes);
  const places = (files: readonly SeenMutants[]) =>
    files.map(({ path, line }) => `\`${path}:${line}\``).join(", ");
  const about = (files: readonly SeenMutants[]) => ({
    check: "witness" as const,
    paths: files.map(({ path }) => path),
  });
  const [lost, unnoticed] = [of("lost"), of("unnoticed")];
  const problems: Problem[] = [];
  if (lost.length > 0) {
    const message = `Before this task, tests noticed when this code behaves differently; now they do not: ${places(lost)}. Let them check its result.`;
    problems.push({ ...about(lost), message, atWorst: "ask" });
  }
  if (unnoticed.length > 0) {
    const message = `No test fails when this code behaves differently: ${places(unnoticed)}. Assert its result.`;
    const isAll = lost.length + of("noticed").length === 0;
    problems.push({ ...about(unnoticed), message, atWorst: isAll ? "ask" : "note" });
  }
  return problems;
}

/** Tests could get their answers from a helper they need: it is well where they notice code that is wrong. */
function judgeHelped(question: ProofQuestion, seen: readonly SeenMutants[]): Problem[] {
  const helpers = question.proof.plan?.controls.filter(isTestSupport) ?? [];
  const isNeeded = helpers.length > 0 && isTreeRed(classOfPart(question, "originals"));
  if (!isNeeded || seen.some(({ eyes }) => eyes !== "unclear")) return [];
  const message = `New tests need what this task changed in ${list(helpers)}, and nothing shows that they notice when its code is wrong.`;
  return [{ check: "witness", message, paths: helpers, atWorst: "finding" }];
}
