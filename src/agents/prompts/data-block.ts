/** What makes a piece of a prompt recognisable as data, and keeps it so. */
export interface Fence {
  /** Random hexadecimal text, new for every prompt: what was written before cannot hold it (T14). */
  boundary: string;
  /** The live session token: it never appears in data, so repeating data completes nothing (T48). */
  token: string;
}

export interface DataBlock {
  label: string;
  text: string;
  /** Characters that are shown at most; the middle is left out and the block says so. */
  maxLength: number;
}

/**
 * Text of others (files, diffs, output, feedback) between two marks with the fence's boundary. The text cannot
 * contain the boundary or the token, and holds no control characters (T11, T14, T55).
 */
export function renderData({ label, text, maxLength }: DataBlock, fence: Fence): string {
  const name = `${fence.boundary} ${label}`;
  return `[data ${name}]\n${cleanText(shorten(text, maxLength), fence)}\n[end of ${name}]`;
}

/** Text of the task list: shown as it is, but unable to break the prompt's structure of lines and marks. */
export function renderPlain(text: string, fence: Fence): string {
  return cleanText(text, fence).trim();
}

/** The same on one line, for titles and criteria. */
export function renderLine(text: string, fence: Fence): string {
  return renderPlain(text, fence).replace(/\s+/g, " ");
}

function cleanText(text: string, { boundary, token }: Fence): string {
  return text
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .toWellFormed()
    .replaceAll(token, "(session token)")
    .replaceAll(boundary, "(boundary)");
}

/** Two thirds from the beginning, one third from the end: both ends of a log or a file tell more than its middle. */
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = Math.floor((maxLength * 2) / 3);
  const tail = maxLength - head;
  const left = text.length - maxLength;
  return `${text.slice(0, head)}\n[... ${left} characters left out ...]\n${text.slice(-tail)}`.toWellFormed();
}
