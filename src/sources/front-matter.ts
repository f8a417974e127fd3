import { decodeText } from "./decode-text.ts";
import { parseYaml } from "./parse-yaml.ts";
import type { ParsedText, TextSource } from "./parsed-text.ts";

/** A block of YAML between two lines `---` at the very top. */
const fenced = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/** The YAML at the top of a Markdown text as a value, with its positions in the whole file. */
export function parseFrontMatter(source: TextSource): ParsedText {
  const decoded = decodeText(source);
  if (decoded.kind === "refused") return decoded;
  const { text } = decoded;
  const { file, maxBytes } = source;
  const block = blockOf(text);
  if (block === undefined) {
    const message = 'has no front matter; begin it with a line "---", the keys, and a line "---"';
    return { kind: "refused", problems: [{ file, line: 1, column: 1, message }] };
  }
  // A comment replaces the first line, so the numbers of all other lines stay.
  const parsed = parseYaml({ bytes: Buffer.from(`#\n${block}`), file, maxBytes });
  return parsed.kind === "parsed" ? { ...parsed, text } : parsed;
}

/** Whether a text begins with front matter. */
export function hasFrontMatter(text: string): boolean {
  return blockOf(text) !== undefined;
}

function blockOf(text: string): string | undefined {
  const match = fenced.exec(text);
  return match?.index === 0 ? match[1] : undefined;
}
