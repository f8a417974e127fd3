import { type Finding, warningAt } from "../base/finding.ts";

/** A lesson of `.ralph/guardrails.md`: what went wrong, or was decided, and what to do about it. */
export interface Guardrail {
  /** `fix-1769351525-3f2a91c0`; the name of a sign of the older format. */
  id: string;
  /** What to do, on one line; empty where nobody has written it. */
  instruction: string;
  /** When it applies: only the older format says so. */
  trigger: string;
  tags: readonly string[];
  /** Line of its heading, from 1. */
  line: number;
}

const entryHeading = /^###\s+((?:fix|decision|pattern)-[\w.-]+)\s*$/i;
const signHeading = /^###\s+Sign:\s*(.*?)\s*$/i;
const anyHeading = /^#{1,6}\s/;

type Block = { id: string; line: number; body: string[] };

/** Every sign of the file, in both formats and in their order; examples in comments and fences are none (compatibility 5). */
export function parseGuardrails(text: string): Guardrail[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const { line, number } of visibleLines(text)) {
    const id = (entryHeading.exec(line) ?? signHeading.exec(line))?.[1];
    if (id !== undefined) {
      open = { id, line: number, body: [] };
      blocks.push(open);
    } else if (anyHeading.test(line)) open = undefined;
    else open?.body.push(line);
  }
  return blocks.map(toSign);
}

/** A sign that does not say what to do helps nobody (specs 003, "Signs ignored"). Paths are lines. */
export function checkGuardrails(text: string): Finding[] {
  return parseGuardrails(text)
    .filter(({ instruction }) => instruction === "")
    .map(({ id, line }) =>
      warningAt([line], `the sign "${id.slice(0, 60)}" has no instruction; nobody will heed it`),
    );
}

const field = /^[-*]?\s*\*\*(Trigger|Instruction):?\*\*:?\s*(.*)$/i;
const tagsComment = /^<!--\s*tags:([^|>]*)/i;

function toSign({ id, line, body }: Block): Guardrail {
  const texts = body.map((each) => each.trim());
  const fields = fieldsOf(texts);
  const quoted = texts.filter((each) => each.startsWith(">")).map((each) => each.slice(1));
  const tags = texts.map((each) => tagsComment.exec(each)?.[1]).find((each) => each !== undefined);
  return {
    id,
    line,
    instruction: onOneLine(fields.instruction ?? quoted.join(" ")),
    trigger: onOneLine(fields.trigger ?? ""),
    tags: (tags ?? "")
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean),
  };
}

/** `**Trigger:** …` and `**Instruction:** …`; plain lines right below belong to the field above them. */
function fieldsOf(lines: readonly string[]): Partial<Record<string, string>> {
  const fields: Record<string, string> = {};
  let open: string | undefined;
  for (const line of lines) {
    const [, name, rest = ""] = field.exec(line) ?? [];
    if (name !== undefined) open = name.toLowerCase();
    else if (!isPlain(line)) open = undefined;
    if (open !== undefined)
      fields[open] = `${fields[open] ?? ""} ${name === undefined ? line : rest}`;
  }
  return fields;
}

/** No quotation, comment, or field of another name such as `**Added after:** …`. */
const isPlain = (line: string) => line !== "" && !/^(?:>|<!--|[-*]?\s*\*\*)/.test(line);

const onOneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** Lines outside of comments of several lines and of fenced blocks. */
function* visibleLines(text: string): Generator<{ line: string; number: number }> {
  let hidden: Hidden;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const before = hidden;
    hidden = hiddenAfter(line, before);
    if (before === undefined && hidden === undefined) yield { line, number: index + 1 };
  }
}

type Hidden = "comment" | "fence" | undefined;

function hiddenAfter(line: string, before: Hidden): Hidden {
  if (before === "comment") return line.includes("-->") ? undefined : "comment";
  if (/^\s*(?:```|~~~)/.test(line)) return before === "fence" ? undefined : "fence";
  if (before === "fence") return "fence";
  return /^\s*<!--/.test(line) && !line.includes("-->") ? "comment" : undefined;
}
