/** The marks that keep data in a prompt recognizable as data. */
export interface Fence {
  /** Random hexadecimal text, new for every prompt, so earlier text cannot contain it (T14). */
  boundary: string;
  /** The token of this call: it never appears in data, so repeating data claims nothing (T48). */
  token: string;
}

export interface DataBlock {
  label: string;
  text: string;
  /** Most characters that are shown; the middle is omitted and the block says so. */
  maxLength: number;
}

/** Untrusted text between two marks. It cannot contain the boundary, the token or control characters (T11, T14, T55). */
export function renderData({ label, text, maxLength }: DataBlock, fence: Fence): string {
  const name = `${fence.boundary} ${label}`;
  return `[data ${name}]\n${cleanText(shorten(text, maxLength), fence)}\n[end of ${name}]`;
}

/** Text of the task list on one line, for titles and criteria: it cannot break the prompt's structure of lines and marks. */
export const renderLine = (text: string, fence: Fence): string =>
  cleanText(text, fence).trim().replace(/\s+/g, " ");

const cleanText = (text: string, { boundary, token }: Fence): string =>
  text
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .toWellFormed()
    .replace(/[\p{Cf}\p{Co}]/gu, showInvisible)
    .replaceAll(token, "(session token)")
    .replaceAll(boundary, "(boundary)");

/** Letters that change direction or cannot be seen could hide an instruction or turn a line of code round (T11). */
const showInvisible = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Two thirds from the beginning and one third from the end, which say more than the middle of a log or file. */
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = Math.floor((maxLength * 2) / 3);
  const tail = maxLength - head;
  const left = text.length - maxLength;
  return `${text.slice(0, head)}\n[... ${left} characters left out ...]\n${text.slice(-tail)}`.toWellFormed();
}
