import { lineEnds } from "./hidden-markup.ts";

/** Code blocks that a page draws: their comments and settings are not seen. */
const drawn =
  /^([ \t>*+-]*)(`{3,}|~{3,})[ \t]*(?:mermaid|math|geojson|topojson|stl)\b[^\n]*\n[\s\S]*?(?:^[ \t>]*\2[`~]*[ \t]*$|$(?![\s\S]))/gim;
/** Commands of formulas that take room without being seen, or choose a colour. */
const unseen = /\\(?:[hv]?phantom|(?:text|page)?color|f?colorbox|[lr]lap|newcommand)\s*[{[]/;

/** Removes what a page draws instead of showing it as text, formulas that hide a part, and cells beyond a table's head (T02). */
export function withoutUnshown(text: string): string {
  const shown = text
    .replace(drawn, (block, before: string) => `${before}(drawing)${lineEnds(block)}`)
    .replace(/\$[^$]*/g, (piece) => (unseen.test(piece) ? `$${lineEnds(piece)}` : piece));
  return withoutSurplusCells(shown);
}

/** The line below a table's head, without spaces and quote marks. */
const delimiter = /^\|?:?-+:?(?:\|:?-+:?)*\|?$/;

function withoutSurplusCells(text: string): string {
  let width: number | undefined;
  const lines = text.split("\n");
  return lines
    .map((line, at) => {
      const above = lines[at - 1] ?? "";
      if (delimiter.test(line.replace(/[ \t>]+/g, "")) && above.includes("|"))
        width = countCells(line);
      else if (!line.includes("|")) width = undefined;
      return width === undefined ? line : cutCells(line, width);
    })
    .join("\n");
}

/** A table's row without the quote marks before it and the bars around it. */
const inner = (line: string) => line.replace(/^[ \t>]*\|?/, "").replace(/(?<!\\)\|[ \t]*$/, "");

const countCells = (line: string) => inner(line).split("|").length;

function cutCells(line: string, width: number): string {
  const bars = [...line.matchAll(/\\.|\|/g)].filter(([found]) => found === "|");
  const isLed = /^[ \t>]*\|/.test(line);
  const last = bars[isLed ? width : width - 1];
  return last ? line.slice(0, last.index + 1) : line;
}
