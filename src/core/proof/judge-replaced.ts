import { isTreeRed, names } from "./judge-originals.ts";
import { answerTo, countingGates, isWitnessTimeSpent, type ProofQuestion } from "./question.ts";
import { isAsked } from "./settings.ts";
import { classOf } from "./tree-class.ts";
import type { Answer, Halt, Problem } from "./verdict.ts";

/** Old tests and examples within files of the product, put back one by one on the task's work (check `originals`). */
export function checkReplaced(question: ProofQuestion): Answer {
  const isOn = isAsked(question.settings, ["originals"]) && countingGates(question).length > 0;
  const red = isOn ? redPlaces(question) : [];
  if ("halt" in red) return red;
  return red.length === 0 ? { findings: [] } : answerTo(question, [problemOf(question, red)]);
}

type Place = { path: string; line: number };

function redPlaces(question: ProofQuestion): { halt: Halt } | Place[] {
  const { proof } = question;
  const red: Place[] = [];
  for (const { path, line, tree } of (proof.plan?.hunks ?? []).filter(({ old_test }) => old_test)) {
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
