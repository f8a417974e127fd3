import { type Finding, warningAt } from "../base/finding.ts";

export const guardrailsPath = ".ralph/guardrails.md";

/** Teammates lock the file itself (specs 003); older ones a file beside it. */
export const guardrailLocks = [guardrailsPath, `${guardrailsPath}.lock`] as const;

/** An entry of `.ralph/guardrails.md`: an error or a decision, and the instruction that follows from it. */
export interface Guardrail {
  /** `fix-1769351525-3f2a91c0`; the name of an entry in the older format ("Sign"). */
  id: string;
  /** The instruction on one line; empty without one. */
  instruction: string;
  /** When it applies; only in the older format. */
  trigger: string;
  tags: readonly string[];
  /** Line of its heading, from 1. */
  line: number;
}

const entryHeading = /^###\s+((?:fix|decision|pattern)-[\w.-]+)\s*$/i;
const signHeading = /^###\s+Sign:\s*(.*?)\s*$/i;
const anyHeading = /^#{1,6}\s/;

type Block = { id: string; line: number; body: string[] };

/** All entries of the file in both formats, in order, without examples in comments and fences (compatibility 5). */
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
  return blocks.map(toGuardrail);
}

/** Warnings about entries without an instruction (specs 003, "Signs ignored"). Paths are lines. */
export function checkGuardrails(text: string): Finding[] {
  return parseGuardrails(text)
    .filter(({ instruction }) => instruction === "")
    .map(({ id, line }) =>
      warningAt([line], `the entry "${id.slice(0, 60)}" has no instruction; agents will ignore it`),
    );
}

const field = /^[-*]?\s*\*\*(Trigger|Instruction):?\*\*:?\s*(.*)$/i;
const tagsComment = /^<!--\s*tags:([^|>]*)/i;

function toGuardrail({ id, line, body }: Block): Guardrail {
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

/** Excludes quotations, comments, and other fields such as `**Added after:** …`. */
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
