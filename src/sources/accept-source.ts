import type { Problem } from "../error.ts";
import type { Checked } from "../schema/base/check-shape.ts";
import type { ParsedText } from "./parsed-text.ts";
import { limitProblems, placeFindings, type Refusal, sourceError } from "./source-error.ts";

/** A file that may be used: its checked content, the text it was read from, and what is odd about it. */
export type AcceptedSource<Data> = { data: Data; text: string; warnings: Problem[] };

/** Turns everything that is wrong with a file into one error that names every place, or hands it on. */
export function acceptSource<Data>(
  parsed: ParsedText,
  { check, refusal }: { check: (value: unknown) => Checked<Data>; refusal: Refusal },
): AcceptedSource<Data> {
  const { file } = refusal;
  const found = parsed.kind === "refused" ? parsed.problems : [];
  const readable = parsed.kind === "refused" ? parsed.readable : parsed;
  if (!readable) throw sourceError(limitProblems(found, file), refusal);
  const { value, locate } = readable;
  const { data, findings } = check(value);
  const { error: errors = [], warning = [] } = Object.groupBy(findings, ({ severity }) => severity);
  const warnings = placeFindings(warning, { file, locate });
  if (parsed.kind === "parsed" && data !== undefined) return { data, text: parsed.text, warnings };
  const problems = placeFindings(errors, { file, locate, found });
  throw sourceError([...problems, ...warnings.map(markWarning)], refusal);
}

/** Beside errors a warning must be told from them. */
const markWarning = (problem: Problem): Problem => ({
  ...problem,
  message: `warning: ${problem.message}`,
});
