import { isTreeRed, names } from "./judge-originals.ts";
import { answerTo, countingGates, isWitnessTimeSpent, type ProofQuestion } from "./question.ts";
import { isAsked } from "./settings.ts";
import { classOf } from "./tree-class.ts";
import type { Answer, Halt, Problem } from "./verdict.ts";

/** Old tests and examples within files of the product, put back one by one on the task's work (check `originals`). */
export function checkReplaced(question: ProofQuestion): Answer {
  const { proof, settings } = question;
  const changed = (proof.plan?.hunks ?? []).filter(({ old_test }) => old_test);
  const isOn = isAsked(settings, ["originals"]) && countingGates(question).length > 0;
  if (!isOn || changed.length === 0) return { findings: [] };
  const red = redPlaces(question, changed);
  if ("halt" in red) return red;
  const answer = answerTo(question, red.length === 0 ? [] : [problemOf(question, red)]);
  // Where files of tests changed too, the figure is theirs.
  if ("halt" in answer || proof.plan?.trees.originals) return answer;
  return { ...answer, figures: { originals: red.length === 0 ? "green" : "red" } };
}

type Place = { path: string; line: number };

function redPlaces(
  question: ProofQuestion,
  changed: readonly (Place & { tree: string })[],
): { halt: Halt } | Place[] {
  const { proof } = question;
  const red: Place[] = [];
  for (const { path, line, tree } of changed) {
    const seen = classOf(proof, countingGates(question), { tree, isSurprise: false });
    if (seen.kind === "pending" && !isWitnessTimeSpent(question))
      return { halt: { kind: "run", part: "hunk", tree, gate: seen.gate } };
    if (isTreeRed(seen)) red.push({ path, line });
  }
  return red;
}

function problemOf({ words, keepsBehaviour }: ProofQuestion, red: readonly Place[]): Problem {
  const places = red.map(({ path, line }) => `\`${path}:${line}\``).join(", ");
  const problem = { check: "originals", paths: [...new Set(red.map(({ path }) => path))] } as const;
  if (keepsBehaviour) {
    const message = `The task list says that this task changes no behaviour, but old tests fail on its work: ${places}.`;
    return { ...problem, message, atWorst: "refuse" };
  }
  const isAskedFor = red.every(({ path }) => names(words, path));
  const message = `Old expectations were replaced${isAskedFor ? ", in files the task names" : ""}: ${places}.`;
  return { ...problem, message, atWorst: isAskedFor ? "note" : "finding" };
}
