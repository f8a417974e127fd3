import { isUtf8 } from "node:buffer";
import type { Problem } from "../error.ts";
import { type Mistake, positionAt, type TextSource } from "./parsed-text.ts";

/** The place of problems of a whole file, because editors and annotations need one. */
const top = { line: 1, column: 1 } as const;

export type DecodedText =
  | { kind: "decoded"; text: string }
  | { kind: "refused"; problems: Problem[] };

/** Decodes bytes to text: limited, UTF-8 without a byte order mark, not empty, without NUL (T60, F09). */
export function decodeText({ bytes, file, maxBytes }: TextSource): DecodedText {
  const message =
    bytes.length > maxBytes
      ? `has ${bytes.length} bytes; at most ${maxBytes} are read`
      : foreignMark(bytes);
  if (message) return { kind: "refused", problems: [{ file, ...top, message }] };
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const mistake = findBrokenText(text, bytes);
  return mistake
    ? { kind: "refused", problems: [{ file, ...mistake }] }
    : { kind: "decoded", text };
}

function foreignMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return "starts with a byte order mark; save it as UTF-8 without one";
  }
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || looksWide(bytes) ? "is UTF-16; save it as UTF-8" : undefined;
}

/** UTF-16 without its mark: every other byte of plain letters is NUL. */
function looksWide(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 64);
  const nuls = [0, 1].map((side) => start.filter((byte, at) => at % 2 === side && byte === 0));
  const [even = 0, odd = 0] = nuls.map(({ length }) => length);
  return Math.min(even, odd) === 0 && Math.max(even, odd) > start.length / 3;
}

const restore = "write it again, or restore it with `git checkout`";

function findBrokenText(text: string, bytes: Uint8Array): Mistake | undefined {
  if (text.trim() === "") return { ...top, message: `is empty; ${restore}` };
  const nul = text.indexOf("\0");
  if (nul >= 0) {
    return { ...positionAt(text, nul), message: `holds NUL bytes, as after a crash; ${restore}` };
  }
  if (isUtf8(bytes)) return undefined;
  return { ...positionAt(text, text.indexOf("\ufffd")), message: "is not UTF-8; save it as UTF-8" };
}

/** Spaces from web pages and word processors at the beginning of a line or key. */
export const oddSpace = /^[ \t]*[\u00a0\u2000-\u200b\u202f\u205f\u3000]/m;
export const oddSpaceMessage =
  "this begins with a character that only looks like a space; indent with plain spaces";

/** Lines of Markdown and of git, and odd spaces, that people leave in a file by accident. */
const marks: readonly { pattern: RegExp; message: string }[] = [
  {
    pattern: /^(?:<{7}|>{7})(?: |\r?$)/m,
    message:
      "a merge conflict begins here; keep one side and remove the lines <<<<<<<, ======= and >>>>>>>",
  },
  {
    pattern: /^ {0,3}(?:```|~~~)/m,
    message: "this line is Markdown; remove the lines with ``` and all text outside of them",
  },
  { pattern: oddSpace, message: oddSpaceMessage },
];

/** Finds lines of no data format. Only for a text that does not parse: a valid text may quote such a line. */
export function findForeignText(text: string): Mistake | undefined {
  for (const { pattern, message } of marks) {
    const at = text.search(pattern);
    if (at >= 0) return { ...positionAt(text, at), message };
  }
  return undefined;
}
