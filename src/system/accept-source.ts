import type { Problem } from "../error.ts";
import type { Checked } from "../model/check-shape.ts";
import type { ParsedText } from "./parsed-text.ts";
import { limitProblems, placeFindings, type Refusal, sourceError } from "./source-error.ts";

/** A file that may be used: its checked content, the text it was read from, and what is odd about it. */
export type AcceptedSource<Data> = { data: Data; text: string; warnings: Problem[] };

/** Turns everything that is wrong with a file into one error that names every place, or hands it on. */
export function acceptSource<Data>(
  parsed: ParsedText,
  { check, refusal }: { check: (value: unknown) => Checked<Data>; refusal: Refusal },
): AcceptedSource<Data> {
  if (parsed.kind === "refused") {
    throw sourceError(limitProblems(parsed.problems, refusal.file), refusal);
  }
  const { data, findings } = check(parsed.value);
  const { error: errors = [], warning = [] } = Object.groupBy(findings, ({ severity }) => severity);
  const place = { file: refusal.file, locate: parsed.locate };
  const warnings = placeFindings(warning, place);
  if (data !== undefined) return { data, text: parsed.text, warnings };
  throw sourceError([...placeFindings(errors, place), ...warnings.map(markWarning)], refusal);
}

/** Beside errors a warning must be told from them. */
const markWarning = (problem: Problem): Problem => ({
  ...problem,
  message: `warning: ${problem.message}`,
});
