const closingReference =
  /((?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+)((?:[\w.-]+\/[\w.-]+)?#\d+|gh-\d+|https?:\/\/\S+)/gi;
// Chained ones are taken as one: what follows our closing backtick would begin a word.
const mention = /(?<![\w/.-])@[a-z0-9](?:[\w@/.-]*\w)?/gi;
const tagStart = /<(?=[a-z/!?])/gi;
const image = /!(?=\[)/g;

/**
 * A line of untrusted text that stays text wherever Markdown is rendered: it notifies nobody, closes no
 * issue, and opens no tag, comment or image (T02, T10, T21). Code spans stay as they are.
 */
export function inertMarkdown(line: string): string {
  const single = line.replace(/`+/g, "`");
  return [dropStray, quoteClosing, quoteMentions].reduce((text, change) => change(text), single);
}

const outsideCode = (change: (text: string) => string) => (line: string) =>
  line
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");

const dropStray = outsideCode((text) =>
  text.replaceAll("`", "'").replace(tagStart, "\\<").replace(image, ""),
);
const quoteClosing = outsideCode((text) => text.replace(closingReference, "$1`$2`"));
const quoteMentions = outsideCode((text) => text.replace(mention, "`$&`"));

/** A value for one cell of a Markdown table. */
export function inertCell(text: string): string {
  return inertMarkdown(text).replaceAll("|", "\\|");
}
