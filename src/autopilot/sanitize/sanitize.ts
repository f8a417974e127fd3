import { withoutMarkup } from "./hidden-markup.ts";
import { plainCharacters, withoutEntities } from "./plain-characters.ts";

/** What a reader of the page would have seen; `hidden` tells that there was more. */
export type Sanitized = { text: string; hidden: boolean };

/**
 * A report or an issue as a person sees it: no comments, attributes, folded or invisible parts, image descriptions or
 * link titles, in which instructions for a model hide (T02-T04). Line numbers stay those of the source. Doing it twice
 * changes nothing, and time is linear in the text.
 */
export function sanitize(source: string): Sanitized {
  const plain = plainCharacters(source);
  const unmarked = withoutMarkup(plain.text);
  // What was taken out may have stood between two halves of something.
  const text = withoutEntities(withoutCarriers(unmarked.text)).normalize("NFC");
  return { text, hidden: plain.hidden || unmarked.hidden > 0 };
}

/** What follows the text of a link in brackets: address and title, which a page does not show. */
const tail = String.raw`\((?:[^()"'\n]|\n(?![ \t]*\n)|"[^"]*"|'[^']*'|\([^()]*\))*\)`;
const nested = String.raw`(?:[^[\]]|\[[^[\]]*\])*`;

const image = new RegExp(String.raw`!\[${nested}\](?:${tail}|\[[^[\]]*\])?`, "g");
const link = new RegExp(String.raw`\[([^[\]]*)\](?:${tail}|\[[^[\]]*\])`, "g");
const strayTail = new RegExp(String.raw`\]${tail}`, "g");
/** A definition of an address or a footnote, with the title that may stand on the line below. */
const definition =
  /^[ \t>*+-]*(?:\d{1,9}[.)][ \t]*)?\[[^[\]]*\]:.*(?:\n[ \t]+\S.*|\n[ \t]*["'(].*)*$/gm;
/** The words behind the ticks that open a block of code. */
const info = /^([ \t>*+-]*(?:`{3,}|~{3,}))[^\n`]*$/gm;

/**
 * Takes out what Markdown does not show: descriptions of images, addresses and titles of links, definitions, the words
 * after an opening fence (T02). What is left holds no piece a second look would take for one.
 */
function withoutCarriers(text: string): string {
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

const lineEnds = (piece: string) => piece.replace(/[^\n]+/g, "");
