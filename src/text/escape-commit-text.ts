/** `#1`, `octo/other#2` and `GH-3` after any word, and a user or team after `@`. */
const references = /#(?=\d)|\bGH-(?=\d)|(?<![\w.])@(?=[\w-])/gi;
/** `[skip ci]`, `[ci skip]`, `[no ci]`, `***NO_CI***`: CI systems look for them anywhere in a message. */
const directives = /\[([^\][\n]*\b(?:skip|no)\b[^\][\n]*)\]|\*{3}(NO_CI)\*{3}/gi;
const links = /(?:https?|ssh|git):\/\//gi;

/**
 * A line of untrusted text for a commit message, which GitHub and CI systems act on without Markdown: no closing words
 * with a reference, mentions, links to issues, or words that skip CI (T10, T21).
 */
export function escapeCommitText(line: string): string {
  return line.replace(links, "").replace(directives, "($1$2)").replace(references, "");
}
