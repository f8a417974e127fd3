import { namesOf } from "./judge-originals.ts";
import {
  type Answer,
  answerTo,
  classOfPart,
  countingGates,
  type ProofQuestion,
  runOf,
} from "./question.ts";
import { isAsked } from "./settings.ts";

/**
 * Old tests that an earlier task of the session changed, as the session found them, where that task's own tests do not
 * fit them: they run without the session's new tests.
 */
export function checkAsFound(question: ProofQuestion): Answer {
  const isOn = isAsked(question.settings, ["originals"]) && countingGates(question).length > 0;
  const seen = isOn ? classOfPart(question, "as_found") : undefined;
  const run = runOf(question, "as_found", seen);
  if (run) return run;
  if (!seen || seen.kind === "green" || seen.kind === "flaky") return { findings: [] };
  const message = `Tests that an earlier task of this session changed fail on this work as the session found them.${namesOf(seen)}`;
  return answerTo(question, [{ check: "originals", message, atWorst: "finding" }]);
}
