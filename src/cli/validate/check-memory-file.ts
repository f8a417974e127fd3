import { isUtf8 } from "node:buffer";
import type { Problem } from "../../error.ts";
import { readSource } from "../../sources/read-source.ts";
import { type Refusal, sourceError } from "../../sources/source-error.ts";
import { markdownLines } from "../../text/markdown-lines.ts";
import { isOldestFirst } from "../../views/documents/progress-position.ts";
import type { CheckInput, ValidFile } from "./target.ts";

const maxBytes = 64 * 1024 * 1024;

/** The sections of AGENTS.md that prompts ask agents to read (specs 004 5.3). People write its text, so nothing is an error. */
export async function checkAgentsMd(place: CheckInput): Promise<ValidFile> {
  const { shown } = place.target;
  const headings = (await readLines(place)).filter(({ text }) => /^##\s/.test(text));
  const isThere = (name: string) =>
    headings.some(
      ({ text }) =>
        text
          .replace(/^##\s+/, "")
          .trim()
          .toLowerCase() === name,
    );
  const warnings = ["Codebase Patterns", "Recent Learnings"]
    .filter((name) => !isThere(name.toLowerCase()))
    .map((name) => ({ file: shown, message: `has no section "## ${name}"` }));
  return { note: "readable project memory", warnings };
}

const entry = /^##\s+\[?(\d{4}-\d{2}-\d{2}(?:[ T]\d\d:\d\d(?::\d\d)?Z?)?)\]?(?:\s+-\s+(.*))?$/;

/** A progress log (specs 004 6.4): a heading with an impossible time is an error, another order or layout a warning. */
export async function checkProgressLog(place: CheckInput): Promise<ValidFile> {
  const { shown } = place.target;
  const lines = await readLines(place);
  const entries = lines.flatMap(({ text, line }) => {
    const [, time, title = ""] = entry.exec(text) ?? [];
    return time === undefined ? [] : [{ time, title, line }];
  });
  const problems = entries
    .filter(({ time }) => Number.isNaN(Date.parse(time.replace(" ", "T"))))
    .map(({ time, line }) => ({ file: shown, line, message: `${time} is no time` }));
  const remedy = `Correct the headings above in ${shown}.`;
  if (problems.length > 0) throw sourceError(problems, { ...refusalOf(shown), remedy });
  const order = isOldestFirst(lines.map(({ text }) => text).join("\n"));
  const warnings: Problem[] = [
    ...(order
      ? [{ file: shown, message: "has the oldest entries first; the newest belong on top" }]
      : []),
    ...entries
      .filter(({ title }) => !/^T-\d/.test(title))
      .map(({ line }) => ({
        file: shown,
        line,
        message: "the heading names no task, such as T-001",
      })),
    ...(lines.some(({ text }) => /^##\s+Codebase Patterns\s*$/i.test(text))
      ? []
      : [{ file: shown, message: 'has no section "## Codebase Patterns"' }]),
  ];
  return { note: `a progress log with ${entries.length} entries`, warnings: warnings.slice(0, 20) };
}

const refusalOf = (file: string): Refusal => ({
  reason: "source",
  file,
  remedy: `Save ${file} as UTF-8.`,
});

/** The lines that are not inside of code or comments, numbered from 1. */
async function readLines({ file, target: { shown } }: CheckInput) {
  const refusal = refusalOf(shown);
  const missing = { ...refusal, remedy: "Name an existing file." };
  const bytes = await readSource(file, { maxBytes, missing });
  if (!isUtf8(bytes)) throw sourceError([{ file: shown, message: "is not UTF-8" }], refusal);
  return markdownLines(bytes.toString())
    .map(({ text, isOpaque }, index) => ({ text, isOpaque, line: index + 1 }))
    .filter(({ isOpaque }) => !isOpaque);
}
