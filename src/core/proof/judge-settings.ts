import type { FactOf } from "../state/event.ts";
import type { ProofPart } from "../state/proof-event.ts";
import { flakyFinding, isTreeRed, list, names, namesOf } from "./judge-originals.ts";
import { answerTo, classOfPart, countingGates, type ProofQuestion, runOf } from "./question.ts";
import { isAsked } from "./settings.ts";
import { classOf, type GateOnHead, type TreeClass } from "./tree-class.ts";
import type { Answer, Problem } from "./verdict.ts";

/**
 * Gates with the scripts their commands name, and gates that count no tests with all settings, as the task found them
 * (check `controls`). Of such gates people should see a red; a gate that counts tests refuses it, unless it names a file
 * of the product, which tasks may have to change.
 */
export function checkSettings(question: ProofQuestion): Answer {
  const { plan } = question.proof;
  if (!plan || !isAsked(question.settings, ["controls"])) return { findings: [] };
  const problems: Problem[] = [];
  const flaky: string[] = [];
  for (const asked of [...withOldScripts(question, plan), ...withOldSettings(question, plan)]) {
    const { gate, part, tree } = asked;
    const seen = classOf(question.proof, [gate], { tree, isSurprise: true });
    if (seen.kind === "pending") return { halt: { kind: "run", gate: gate.name, part, tree } };
    if (seen.kind === "flaky") flaky.push(gate.name);
    problems.push(...judgeSettings(asked, seen, question.words));
  }
  const answer = answerTo(question, problems);
  if ("halt" in answer) return answer;
  return { findings: [...answer.findings, ...flaky.map(flakyFinding)] };
}

/** One gate, and the tree with files as the task found them. */
interface Asked {
  gate: GateOnHead;
  part: ProofPart;
  tree: string;
  paths: readonly string[];
  /** Red is a reason to refuse the work. */
  isFirm: boolean;
}

type Plan = FactOf<"proof_planned">;

/** Where old tests hold, old scripts run those; otherwise that the tests changed is known already. */
function withOldScripts(question: ProofQuestion, { scripts = [], trees, product }: Plan): Asked[] {
  const isHeld = !isTreeRed(classOfPart(question, "originals"));
  const part = isHeld && trees.scripts !== undefined ? "scripts" : "scripts_only";
  const tree = trees[part];
  if (tree === undefined) return [];
  const counting = new Set(countingGates(question).map(({ key }) => key));
  return greenGates(question).flatMap((gate) => {
    const named = scripts.filter(({ gates }) => gates.includes(gate.name)).map(({ path }) => path);
    if (named.length === 0) return [];
    const isFirm = counting.has(gate.key) && !named.some((path) => product.includes(path));
    return [{ gate, part, tree, paths: named, isFirm }];
  });
}

/** The gates that count tests have been asked with the old tests. */
function withOldSettings(question: ProofQuestion, { trees, controls }: Plan): Asked[] {
  const tree = trees.controls;
  if (tree === undefined) return [];
  const counting = new Set(countingGates(question).map(({ key }) => key));
  return greenGates(question)
    .filter(({ key }) => !counting.has(key))
    .map((gate) => ({ gate, part: "controls", tree, paths: controls, isFirm: false }));
}

const greenGates = ({ gates }: ProofQuestion): GateOnHead[] =>
  gates.flatMap(({ gate, key, before, after }) =>
    before?.status === "passed" && after.status === "passed"
      ? [{ name: gate, key, head: after.tests }]
      : [],
  );

function judgeSettings({ gate, paths, isFirm }: Asked, seen: TreeClass, words: string): Problem[] {
  const about = { check: "controls", paths } as const;
  const was = `With ${list(paths)} as this task found ${paths.length > 1 ? "them" : "it"}, gate "${gate.name}"`;
  if (seen.kind === "unknown") {
    const message = `${was} has no verdict on its work: ${seen.because}`;
    return [{ ...about, message, atWorst: "finding" }];
  }
  if (!isTreeRed(seen)) return [];
  const isAskedFor = paths.every((path) => names(words, path));
  const message = `${was} is red on its work.${namesOf(seen)}`;
  if (isFirm)
    return [{ ...about, message: `${message} Restore what it checked.`, atWorst: "refuse" }];
  return [{ ...about, message, atWorst: isAskedFor ? "note" : "finding" }];
}

/** Old tests that an earlier task changed, as the session found them, without the session's new tests. */
export function checkAsFound(question: ProofQuestion): Answer {
  const isOn = isAsked(question.settings, ["originals"]) && countingGates(question).length > 0;
  const seen = isOn ? classOfPart(question, "as_found") : undefined;
  const run = runOf(question, "as_found", seen);
  if (run) return run;
  if (!seen || seen.kind === "green" || seen.kind === "flaky") return { findings: [] };
  const message = `Tests that an earlier task of this session changed fail on this work as the session found them.${namesOf(seen)}`;
  return answerTo(question, [{ check: "originals", message, atWorst: "finding" }]);
}
