import type { Problem } from "../../error.ts";
import type { Files } from "../../platform/system.ts";
import { checkShape } from "../../schema/base/check-shape.ts";
import { checkTimeOrder } from "../../schema/session-files/check-session-files.ts";
import { TimelineEvent } from "../../schema/session-files/timeline-event.ts";
import {
  limitProblems,
  placeFindings,
  type Refusal,
  sourceError,
} from "../../sources/accept-source.ts";
import { parseJson } from "../../sources/parse-json.ts";
import type { Locate } from "../../sources/parsed-text.ts";
import { readSource } from "../../sources/read-source.ts";

const maxLineBytes = 1024 * 1024;
const maxBytes = 64 * 1024 * 1024;

/** Checks a timeline: each line is an event, in the order of time. A new session may have no timeline. */
export async function checkTimeline(
  files: Files,
  { path, refusal }: { path: string; refusal: Refusal },
): Promise<Problem[]> {
  if (!(await files.stat(path))) return [];
  const { file } = refusal;
  const source: Pick<Files, "read"> = { read: (_, options) => files.read(path, options) };
  const text = (await readSource(source, { maxBytes, missing: refusal })).toString();
  const lines = linesOf(text).map((content, index) => readLine(content, { file, line: index + 1 }));
  const problems = lines.flatMap((line) => (line.kind === "invalid" ? line.problems : []));
  const all = [...problems, ...findLate(lines, file)].toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0),
  );
  if (all.length > 0) throw sourceError(limitProblems(all, file), refusal);
  return [];
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

type Line =
  | { kind: "valid"; event: TimelineEvent; locate: Locate }
  | { kind: "invalid"; problems: Problem[] };

const emptyLine = "the line is empty; remove it";

function readLine(content: string, place: { file: string; line: number }): Line {
  if (content.trim() === "") {
    return { kind: "invalid", problems: [{ ...place, column: 1, message: emptyLine }] };
  }
  const { file, line } = place;
  const parsed = parseJson({ bytes: Buffer.from(content), file, maxBytes: maxLineBytes });
  const isRefused = parsed.kind === "refused";
  const found = isRefused ? parsed.problems.map((problem) => ({ ...problem, line })) : [];
  const readable = isRefused ? parsed.readable : parsed;
  if (!readable) return { kind: "invalid", problems: found };
  const locate: Locate = (path) => ({ ...readable.locate(path), line });
  const shape = checkShape(TimelineEvent, readable.value);
  if (shape.kind === "valid" && !isRefused) return { kind: "valid", event: shape.data, locate };
  const findings = shape.kind === "valid" ? [] : shape.findings;
  return { kind: "invalid", problems: placeFindings(findings, { file, locate, found }) };
}

/** Compares each valid line with the previous valid one. */
function findLate(lines: readonly Line[], file: string): Problem[] {
  const valid = lines.filter((line) => line.kind === "valid");
  return checkTimeOrder(valid.map(({ event }) => event)).map(({ path: [at], message }) => ({
    file,
    ...valid[Number(at)]?.locate(["ts"]),
    message: `ts ${message}`,
  }));
}
