import type { Problem } from "../error.ts";
import { checkTimeOrder } from "../model/check-session.ts";
import { checkShape } from "../model/check-shape.ts";
import { renderPath } from "../model/finding.ts";
import { TimelineEvent } from "../model/timeline-event.ts";
import { parseJson } from "../system/parse-json.ts";
import { readSource } from "../system/read-source.ts";
import { limitProblems, type Refusal, sourceError } from "../system/source-error.ts";
import type { Files } from "../system/system.ts";

const maxLineBytes = 1024 * 1024;
const maxBytes = 64 * 1024 * 1024;

type Numbered = { line: number; event: TimelineEvent };

/** Checks a timeline: each line an event, no line earlier than the one before. A session may have none yet. */
export async function checkTimeline(
  files: Files,
  { path, refusal }: { path: string; refusal: Refusal },
): Promise<Problem[]> {
  if (!(await files.stat(path))) return [];
  const { file } = refusal;
  const read: Pick<Files, "read"> = { read: (_, options) => files.read(path, options) };
  const text = (await readSource(read, { maxBytes, missing: refusal })).toString();
  const events: Numbered[] = [];
  const problems = linesOf(text).flatMap((content, index): Problem[] => {
    const line = index + 1;
    const read = readLine(content, file);
    if (read.kind === "valid") events.push({ line, event: read.event });
    return read.kind === "valid" ? [] : read.messages.map((message) => ({ file, line, message }));
  });
  const late = checkTimeOrder(events.map(({ event }) => event)).map(({ path: [at], message }) => ({
    file,
    line: events[Number(at)]?.line ?? 1,
    message: `ts ${message}`,
  }));
  const all = [...problems, ...late].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  if (all.length > 0) throw sourceError(limitProblems(all, file), refusal);
  return [];
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

type Line = { kind: "valid"; event: TimelineEvent } | { kind: "invalid"; messages: string[] };

function readLine(line: string, file: string): Line {
  const parsed = parseJson({ bytes: Buffer.from(line), file, maxBytes: maxLineBytes });
  if (parsed.kind === "refused") {
    return { kind: "invalid", messages: parsed.problems.map(({ message }) => message) };
  }
  const shape = checkShape(TimelineEvent, parsed.value);
  if (shape.kind === "valid") return { kind: "valid", event: shape.data };
  const messages = shape.findings.map(({ path, message }) => `${renderPath(path)} ${message}`);
  return { kind: "invalid", messages };
}
