import { insertAt, markdownLines } from "../../text/markdown-lines.ts";
import {
  type HeaderLine,
  readHeader,
  type TaskHeader,
  type TeamTaskStatus,
} from "./schema/task.ts";

/** The status to write to a task's file. */
export type TaskUpdate = { status: TeamTaskStatus; by?: string; at?: string };

/** A task's file with its new status, in the form of its header, or in new front matter (specs 003). Other bytes stay. */
export function withStatus(text: string, update: TaskUpdate): string {
  const { form } = readHeader(text);
  const lines = linesFor(form, update);
  if (form !== "none") return lines.reduce(withLine, text);
  const rows = lines.map(([key, value]) => `${key}: ${value}\n`);
  return insertAt(text, 0, `---\n${rows.join("")}---\n`);
}

type KeyValue = readonly [key: string, value: string];

/** Lines marked as headings hold only the day: `## Completed: 2026-01-29`. */
function linesFor(form: TaskHeader["form"], { status: word, by, at }: TaskUpdate): KeyValue[] {
  const status: KeyValue = ["Status", word];
  if (at === undefined) return [status];
  if (form === "lines") return [status, ["Completed", at.slice(0, 10)]];
  const worker: KeyValue[] = by === undefined ? [] : [["Completed-By", by]];
  return [status, ...worker, ["Completed-At", at]];
}

function withLine(text: string, [key, value]: KeyValue): string {
  const header = readHeader(text);
  const row = header.form === "lines" ? `## ${key}: ${value}` : `${key}: ${value}`;
  const known = header.lines.find((line) => line.key === key);
  if (known) return replaceLine(text, known, row);
  const above = header.lines.findLast((line) => line.key !== "Blocked-By")?.line ?? 1;
  return insertAt(text, markdownLines(text)[above - 1]?.end ?? 0, `${row}\n`);
}

function replaceLine(text: string, { line }: HeaderLine, row: string): string {
  const old = markdownLines(text)[line - 1];
  return old ? text.slice(0, old.start) + row + text.slice(old.start + old.text.length) : text;
}
