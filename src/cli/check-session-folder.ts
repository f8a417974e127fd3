import { type Problem, RalphError } from "../error.ts";
import { checkClosed } from "../model/check-closed.ts";
import { checkSeals, checkTimeOrder } from "../model/check-session.ts";
import { type Checked, checkShape, conclude } from "../model/check-shape.ts";
import { renderPath } from "../model/finding.ts";
import { Session } from "../model/session.ts";
import { TaskStatus } from "../model/task-status.ts";
import { TimelineEvent } from "../model/timeline-event.ts";
import { acceptSource } from "../system/accept-source.ts";
import { parseJson } from "../system/parse-json.ts";
import { readSource } from "../system/read-source.ts";
import { limitProblems, type Refusal, sourceError } from "../system/source-error.ts";
import type { Files } from "../system/system.ts";

const maxBytes = 16 * 1024 * 1024;
const maxTimelineBytes = 64 * 1024 * 1024;

/** One file of a session's folder, under the name it is told by. */
type Place = { files: Files; path: string; refusal: Refusal };

/**
 * Checks a session's folder by specs 004 8.3: formats, both checksums, times that never run backwards. Everything
 * that is wrong is one error with exit 6; a folder without session.json is none of ours, exit 1.
 */
export async function checkSessionFolder(files: Files, shown: string): Promise<void> {
  if (!(await files.stat("session.json"))) throw noSession(shown);
  const place = (path: string): Place => ({ files, path, refusal: refusalOf(shown, path) });
  const problems = [
    ...(await problemsOf(() => checkSessionJson(place("session.json")))),
    ...(await problemsOf(() => checkStatus(place("task-status.json")))),
    ...(await problemsOf(() => checkTimeline(place("logs/timeline.jsonl")))),
  ];
  if (problems.length > 0) throw sourceError(problems, { ...refusalOf(shown, ""), file: shown });
}

function noSession(shown: string): RalphError {
  return new RalphError("config", {
    message: `${shown} holds no session.json.`,
    remedy: "Name the folder of a session, such as .ralph-session, or a file.",
  });
}

const refusalOf = (shown: string, path: string): Refusal => ({
  reason: "tampering",
  file: `${shown}/${path}`,
  remedy:
    "Find out who changed it. What ralph itself relies on is its journal; check that with `ralph audit`.",
});

async function problemsOf(check: () => Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof RalphError) return error.problems;
    throw error;
  }
}

async function readJson<Data>(
  { files, path, refusal }: Place,
  check: (value: unknown, bytes: Buffer) => Checked<Data>,
): Promise<void> {
  const read: Pick<Files, "read"> = { read: (_, options) => files.read(path, options) };
  const bytes = await readSource(read, { maxBytes, missing: refusal });
  const parsed = parseJson({ bytes, file: refusal.file, maxBytes });
  acceptSource(parsed, { check: (value) => check(value, bytes), refusal });
}

function checkSessionJson(place: Place): Promise<void> {
  return readJson(place, (value) => conclude(checkClosed(Session, value), []));
}

/** Other tools keep no such file; where there is one, both its checksums must fit. */
async function checkStatus(place: Place): Promise<void> {
  const { files, path } = place;
  if (!(await files.stat(path))) return;
  const external = (await files.read("task-status.sha256", { maxBytes: 4096 }))?.toString();
  await readJson(place, (value, bytes) => {
    const shape = checkClosed(TaskStatus, value);
    const isValid = shape.kind === "valid";
    return conclude(shape, isValid ? checkSeals({ bytes, status: shape.data, external }) : []);
  });
}

async function checkTimeline({ files, path, refusal }: Place): Promise<void> {
  const { file } = refusal;
  const text = (await files.read(path, { maxBytes: maxTimelineBytes }))?.toString() ?? "";
  const lines = text
    .split("\n")
    .filter((line, index, all) => line !== "" || index < all.length - 1);
  const events: TimelineEvent[] = [];
  const problems = lines.flatMap((line, index): Problem[] => {
    const read = readLine(line, file);
    if (read.kind === "valid") events.push(read.data);
    return read.kind === "valid"
      ? []
      : read.messages.map((message) => ({ file, line: index + 1, message }));
  });
  const order = problems.length > 0 ? [] : checkTimeOrder(events);
  const late = order.map(({ path: at, message }) => ({
    file,
    line: Number(at[0]) + 1,
    message: `ts ${message}`,
  }));
  const all = [...problems, ...late];
  if (all.length > 0) throw sourceError(limitProblems(all, file), refusal);
}

type Line = { kind: "valid"; data: TimelineEvent } | { kind: "invalid"; messages: string[] };

function readLine(line: string, file: string): Line {
  const parsed = parseJson({ bytes: Buffer.from(line), file, maxBytes });
  if (parsed.kind === "refused") {
    return { kind: "invalid", messages: parsed.problems.map(({ message }) => message) };
  }
  const shape = checkShape(TimelineEvent, parsed.value);
  if (shape.kind === "valid") return shape;
  const messages = shape.findings.map(({ path, message }) => `${renderPath(path)} ${message}`);
  return { kind: "invalid", messages };
}
