import { inertMarkdown } from "../inert-markdown.ts";

// No word boundary before a protocol: GitHub links one after `_` too.
const address = /(?:(?:https?|ftp|mailto|xmpp):|www\.)[^\s`]+|(?<![\w.+-])[\w.+-]+@[^\s`]*/gi;

/**
 * A line of untrusted text for a page that GitHub renders: it shows what was written and does nothing, not even
 * link (T02, T10, T21). It stands behind words of ours, never at the start of a line. Code spans stay.
 */
export function inertText(line: string): string {
  // One at a time, so that nothing a step adds can be undone by what the text brings along.
  const literal = outsideCode(line.replace(/`+/g, "`"), (text) =>
    text.replaceAll("\\", "\\\\").replaceAll("&", "&amp;"),
  );
  const unlinked = outsideCode(inertMarkdown(literal), (text) => text.replace(address, "`$&`"));
  return outsideCode(unlinked, (text) => text.replace(/[[\]]/g, "\\$&"));
}

/** The same for one cell of a table, where a backslash would free the bar that follows it. */
export function inertTextCell(line: string): string {
  return escapeBars(inertText(line));
}

/** A name as a code span in a cell or a sentence. */
export function codeSpan(name: string): string {
  const text = name.replaceAll("`", "'").trim();
  return text === "" ? "-" : escapeBars(`\`${text}\``);
}

const escapeBars = (text: string) => text.replaceAll("\\|", "\\ |").replaceAll("|", "\\|");

function outsideCode(line: string, change: (text: string) => string): string {
  return line
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");
}
