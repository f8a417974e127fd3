import { type Mistake, positionAt } from "./parsed-text.ts";

/** Spaces from web pages and word processors at the beginning of a line or key. */
export const oddSpace = /^[ \t]*[\u00a0\u2000-\u200b\u202f\u205f\u3000]/m;
export const oddSpaceMessage =
  "this begins with a character that only looks like a space; indent with plain spaces";

/** Lines of Markdown and of git, and odd spaces, that people leave in a file by accident. */
const marks: readonly { pattern: RegExp; message: string }[] = [
  {
    pattern: /^(?:<{7}|>{7})(?: |\r?$)/m,
    message:
      "a merge conflict begins here; keep one side and remove the lines <<<<<<<, ======= and >>>>>>>",
  },
  {
    pattern: /^ {0,3}(?:```|~~~)/m,
    message: "this line is Markdown; remove the lines with ``` and all text outside of them",
  },
  { pattern: oddSpace, message: oddSpaceMessage },
];

/**
 * Finds lines in a text that does not parse that belong to no data format. Only for such texts: a valid text may quote
 * such a line.
 */
export function findForeignText(text: string): Mistake | undefined {
  for (const { pattern, message } of marks) {
    const at = text.search(pattern);
    if (at >= 0) return { ...positionAt(text, at), message };
  }
  return undefined;
}
