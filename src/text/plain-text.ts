const esc = "\u001b";
const c1 = "\u0080-\u009f";
/**
 * Terminal sequences: commands with a text argument, control sequences, and the rest. Every part after the first character
 * is optional, so a search never backtracks (T62).
 */
const sequences = new RegExp(
  [
    `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^${esc}\u0007${c1}\\n]*(?:\u0007|${esc}\\\\|\u009c)?`,
    `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]?`,
    `${esc}[ -/]*[0-~]?`,
  ].join("|"),
  "g",
);
const lineBreaks = /\r\n?|[\u0085\u2028\u2029]/g;
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}]/gu;

/** Text without escape sequences, control characters and invisible characters (T55). */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(sequences, "")
    .replace(lineBreaks, "\n")
    .replace(invisible, "");
}

/** One line of at most `max` UTF-16 units that no CI runner executes as a command (T53). */
export function plainLine(text: string, max = 200): string {
  // A bounded slice first, so that text beyond the limit is not processed.
  const line = plainText(text.slice(0, max * 8)).replace(/\s+/g, " ");
  return cut(line.replaceAll("##[", "## [").trim(), max);
}

/** Shortens to `max` UTF-16 units, the last one an ellipsis, and never splits a character in two. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return max < 1 ? "" : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
