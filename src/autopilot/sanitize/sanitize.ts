import { lineEnds, withoutMarkup } from "./hidden-markup.ts";
import { plainCharacters, withoutEntities } from "./plain-characters.ts";
import { withoutUnshown } from "./unshown-markdown.ts";

/** The text a page would show; `hidden`: the source held more. */
export type Sanitized = { text: string; hidden: boolean };

/**
 * A report or an issue as a page shows it: without comments, attributes, folded or invisible parts, image descriptions and
 * link titles, which can hide instructions for a model (T02-T04). Line numbers do not change, a second pass changes
 * nothing, and time is linear in the text.
 */
export function sanitize(source: string): Sanitized {
  const plain = plainCharacters(source);
  const unmarked = withoutMarkup(plain.text);
  // Removing text may have joined the two halves of an entity.
  const text = withoutEntities(withoutHiddenMarkdown(withoutUnshown(unmarked.text))).normalize(
    "NFC",
  );
  return { text, hidden: plain.hidden || unmarked.hidden > 0 };
}

/** The address and title after the text of a link, which a page does not show. */
const tail = String.raw`\((?:[^()"'\n]|\n(?![ \t]*\n)|"[^"]*"|'[^']*'|\([^()]*\))*\)`;
const nested = String.raw`(?:[^[\]]|\[[^[\]]*\])*`;

const image = new RegExp(String.raw`!\[${nested}\](?:${tail}|\[[^[\]]*\])?`, "g");
const link = new RegExp(String.raw`\[([^[\]]*)\](?:${tail}|\[[^[\]]*\])`, "g");
const strayTail = new RegExp(String.raw`\]${tail}`, "g");
/** A definition of an address or a footnote, with a title that may be on the next line. */
const definition =
  /^[ \t>*+-]*(?:\d{1,9}[.)][ \t]*)?\[[^[\]]*\]:.*(?:\n[ \t]+\S.*|\n[ \t]*["'(].*)*$/gm;
/** The info string of a code block. */
const info = /^([ \t>*+-]*(?:`{3,}|~{3,}))[^\n`]*$/gm;

/**
 * Removes the parts of Markdown that a page does not show: image descriptions, addresses and titles of links,
 * definitions, info strings (T02). The rest holds nothing that a second pass would remove.
 */
function withoutHiddenMarkdown(text: string): string {
  return text
    .replace(image, (found) => `(image)${lineEnds(found)}`)
    .replace(link, (found, shown: string) => `${shown}${lineEnds(found.slice(shown.length + 1))}`)
    .replace(strayTail, (found) => `]${lineEnds(found)}`)
    .replace(definition, lineEnds)
    .replace(info, "$1")
    .replace(/!(?=\[)/g, "! ")
    .replace(/\](?=[([])/g, "] ")
    .replace(/^([ \t>*+-]*(?:\d{1,9}[.)][ \t]*)?\[[^[\]]*\]):/gm, "$1 :");
}
