import { isUtf8 } from "node:buffer";
import type { Problem } from "../../error.ts";
import { type Refusal, sourceError } from "../../sources/accept-source.ts";
import { readSource } from "../../sources/read-source.ts";
import { markdownLines } from "../../text/markdown-lines.ts";
import { isOldestFirst } from "../../views/documents/progress-position.ts";
import type { CheckInput, ValidFile } from "./target.ts";

const maxBytes = 64 * 1024 * 1024;

/** The sections of AGENTS.md that prompts ask agents to read (specs 004 5.3). People write its text, so nothing is an error. */
export async function checkAgentsMd(place: CheckInput): Promise<ValidFile> {
  const { shown } = place.target;
  const lines = await readLines(place);
  const sections = lines.map(({ text }) => /^##\s+(.*?)\s*$/.exec(text)?.[1]?.toLowerCase());
  const warnings = ["Codebase Patterns", "Recent Learnings"]
    .filter((name) => !sections.includes(name.toLowerCase()))
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
  const isReversed = isOldestFirst(lines.map(({ text }) => text).join("\n"));
  const hasPatterns = lines.some(({ text }) => /^##\s+Codebase Patterns\s*$/i.test(text));
  const warn = (message: string, line?: number) => ({
    file: shown,
    ...(line && { line }),
    message,
  });
  const warnings: Problem[] = [
    ...(isReversed ? [warn("has the oldest entries first; the newest belong on top")] : []),
    ...entries
      .filter(({ title }) => !/^T-\d/.test(title))
      .map(({ line }) => warn("the heading names no task, such as T-001", line)),
    ...(hasPatterns ? [] : [warn('has no section "## Codebase Patterns"')]),
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
