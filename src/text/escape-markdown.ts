/**
 * Text that Markdown or GitHub acts on. No word boundary before a protocol: GitHub also links one after `_`. A reference
 * to an issue of another repository would appear there.
 */
const acting =
  /\\|[[\]]|<[a-z/!?]|&(?:#|\w+;)|@[^\s`]|\/[\w.-]+#\d|(?:https?|ftp|mailto|xmpp):|www\.|(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)[^a-z0-9`]*(?:#|gh-)\d/i;
const reference = /#\d|gh-\d/i;
const closing = /(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)[^a-z0-9]*$/i;
/** Brackets and tags are part of their word, including the spaces inside. */
const word = /(?:`[^`]*`|\[[^[\]`]*\]|<[a-z/!?][^<>`]*>|[^\s`])+/gi;

/**
 * A line of untrusted text for a page that GitHub renders or a file that people keep: words that notify, close an issue,
 * link, escape, or open a tag, comment or image become code spans (T02, T10, T21). Use it after other text, never at the
 * start of a line. Code spans stay, so escaping twice changes nothing.
 */
export function escapeMarkdown(line: string): string {
  let follows = false;
  return pairTicks(line).replace(word, (found) => {
    const text = found.replace(/`[^`]*`/g, "`");
    const acts = acting.test(text) || (follows && reference.test(text));
    // Punctuation between a closing keyword and its number may vanish when the page is rendered.
    if (/[a-z0-9]/i.test(found)) follows = closing.test(found);
    return acts ? quote(found) : found;
  });
}

/** Escapes untrusted text for one cell of a table, where a backslash would unescape the bar after it. */
export function escapeTableCell(line: string): string {
  return escapeBars(escapeMarkdown(line));
}

/** A name as a code span, for a cell or a sentence. */
export function codeSpan(name: string): string {
  const text = name.replaceAll("`", "'").trim();
  return text === "" ? "-" : escapeBars(`\`${text}\``);
}

const escapeBars = (text: string) => text.replaceAll("\\|", "\\ |").replaceAll("|", "\\|");

/** Single backticks in pairs, so that every renderer finds the same code spans. */
function pairTicks(line: string): string {
  const single = line.replace(/`+/g, "`");
  if (single.split("`").length % 2 === 1) return single;
  const stray = single.lastIndexOf("`");
  return `${single.slice(0, stray)}'${single.slice(stray + 1)}`;
}

/** Punctuation at the ends stays outside the code span; links and calls keep their parentheses. */
function quote(found: string): string {
  const isWhole = /[[\]]|\(.*\)/s.test(found);
  const opening = isWhole ? "" : `("'`;
  const ending = isWhole ? ".,:;!?" : `.,:;!?)"'`;
  let start = 0;
  let end = found.length;
  while (start < end && opening.includes(found.charAt(start))) start += 1;
  while (end > start && ending.includes(found.charAt(end - 1))) end -= 1;
  const code = found.slice(start, end).replaceAll("`", "'");
  return `${found.slice(0, start)}\`${code}\`${found.slice(end)}`;
}

/** `#1`, `octo/other#2` and `GH-3` after any word, and a user or team after `@`. */
const mentions = /#(?=\d)|\bGH-(?=\d)|(?<![\w.])@(?=[\w-])/gi;
/** `[skip ci]`, `[ci skip]`, `[no ci]`, `***NO_CI***`: CI systems look for them anywhere in a message. */
const directives = /\[([^\][\n]*\b(?:skip|no)\b[^\][\n]*)\]|\*{3}(NO_CI)\*{3}/gi;
const links = /(?:https?|ssh|git):\/\//gi;

/**
 * A line of untrusted text for a commit message, which GitHub and CI systems act on without Markdown: no closing words
 * with a reference, mentions, links to issues, or words that skip CI (T10, T21).
 */
export function escapeCommitText(line: string): string {
  return line.replace(links, "").replace(directives, "($1$2)").replace(mentions, "");
}
