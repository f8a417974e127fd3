import type { Problem } from "../error.ts";
import type { Checked } from "../schema/base/check-shape.ts";
import type { ParsedText } from "./parsed-text.ts";
import { limitProblems, placeFindings, type Refusal, sourceError } from "./source-error.ts";

/** An accepted file: its checked content, its text, and warnings. */
export type AcceptedSource<Data> = { data: Data; text: string; warnings: Problem[] };

/** Accepts a checked file, or throws one error that lists all problems with their places. */
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

/** Marks a warning that is listed among errors. */
const markWarning = (problem: Problem): Problem => ({
  ...problem,
  message: `warning: ${problem.message}`,
});
