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
export function withoutCarriers(text: string): string {
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
