import { outline } from "../../schema/tasks/foreign/outline.ts";
import { onOneLine } from "../../schema/tasks/foreign/words.ts";

/** A heading that is read again as this very text. */
export function renderHeading(level: number, text: string): string {
  const marks = "#".repeat(level);
  const plain = escapeBackslashes(onOneLine(text));
  const isSafe = reads(`${marks} ${plain}`, "heading", plain);
  return `${marks} ${isSafe ? plain : plain.replace(/(#+)$/, "\\$1")}`;
}

/** A paragraph of one line that is read again as this very text: not as a list, a rule or a heading. */
export function renderParagraph(text: string): string {
  const plain = escapeBackslashes(onOneLine(text));
  if (reads(plain, "paragraph", plain)) return plain;
  const numbered = /^(\d{1,9})([.)])/;
  return numbered.test(plain) ? plain.replace(numbered, "$1\\$2") : `\\${plain}`;
}

/** A backslash before a mark would take it its meaning. */
const escapeBackslashes = (text: string) => text.replace(/\\(?=[!-/:-@[-`{-~])/g, "\\\\");

function reads(text: string, kind: "heading" | "paragraph", plain: string): boolean {
  const [block, ...rest] = outline(text);
  const meant = plain.replace(/\\([!-/:-@[-`{-~])/g, "$1");
  return rest.length === 0 && block?.kind === kind && block.text === meant;
}
