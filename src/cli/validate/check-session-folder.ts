import { type Problem, RalphError } from "../../error.ts";
import type { Files } from "../../platform/system.ts";
import { type Checked, checkClosed, conclude } from "../../schema/base/check-shape.ts";
import { warningAt } from "../../schema/base/finding.ts";
import {
  checkSeals,
  checkSession,
  checkTaskTimes,
} from "../../schema/session-files/check-session-files.ts";
import { SessionFile } from "../../schema/session-files/session.ts";
import { TaskStatusFile } from "../../schema/session-files/task-status.ts";
import { acceptSource, type Refusal, sourceError } from "../../sources/accept-source.ts";
import { parseJson } from "../../sources/parse-json.ts";
import { readSource } from "../../sources/read-source.ts";
import { checkTimeline } from "./check-timeline.ts";
import type { SessionPart } from "./target.ts";

const maxBytes = 16 * 1024 * 1024;

/** One file of a session folder; `refusal.file` is the name for the user. */
type SessionFileInput = { files: Files; path: string; refusal: Refusal };

/** Warnings about one file; RalphError when it cannot be trusted. */
type SessionFileCheck = (place: SessionFileInput) => Promise<readonly Problem[]>;

const wholeFolder: readonly SessionPart[] = [
  { kind: "session", name: "session.json" },
  { kind: "status", name: "task-status.json" },
  { kind: "timeline", name: "logs/timeline.jsonl" },
];

/** Checks formats, checksums and times of a session folder (specs 004 8.3). Problems: exit 6; no session: exit 1. */
export async function checkSessionFolder(
  files: Files,
  { shown, part }: { shown: string; part?: SessionPart | undefined },
): Promise<Problem[]> {
  if (!part) await requireSession(files);
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  for (const { kind: is, name } of part ? [part] : wholeFolder) {
    const refusal = refusalOf(part ? shown : `${shown}/${name}`);
    const found = await runCheck(checks[is], { files, path: name, refusal });
    (found.isSound ? warnings : problems).push(...found.problems);
  }
  if (problems.length > 0) throw sourceError(problems, refusalOf(shown));
  return warnings;
}

/** Returns problems instead of throwing them, so that all files are checked. */
async function runCheck(
  check: SessionFileCheck,
  place: SessionFileInput,
): Promise<{ isSound: boolean; problems: readonly Problem[] }> {
  try {
    return { isSound: true, problems: await check(place) };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const { message, problems } = error;
    const all = problems.length > 0 ? problems : [{ file: place.refusal.file, message }];
    return { isSound: false, problems: all };
  }
}

/** Whether a folder holds at least one file of a session. */
export async function isSession(files: Pick<Files, "stat">): Promise<boolean> {
  const stats = await Promise.all(wholeFolder.map(({ name }) => files.stat(name)));
  return stats.some((stat) => stat !== undefined);
}

async function requireSession(files: Pick<Files, "stat">): Promise<void> {
  const stat = await files.stat("");
  if (!stat) throw noSession("does not exist");
  if (stat.kind === "file") throw noSession("is a file");
  if (!(await isSession(files))) throw noSession("holds no session.json");
}

function noSession(message: string): RalphError {
  return new RalphError("config", {
    message,
    remedy: "Name the folder of a session, such as .ralph-session, or a file.",
  });
}

const refusalOf = (file: string): Refusal => ({
  reason: "tampering",
  file: file.replace(/^\.\//, ""),
  remedy:
    "Find out who changed it. ralph itself relies only on its journal; check it with `ralph audit`.",
});

const checks: Record<SessionPart["kind"], SessionFileCheck> = {
  session: (place) =>
    readJson(place, (value) => {
      const shape = checkClosed(SessionFile, value);
      return conclude(shape, shape.kind === "valid" ? checkSession(shape.data) : []);
    }),
  status: checkStatus,
  timeline: ({ files, path, refusal }) => checkTimeline(files, { path, refusal }),
};

/** The file is optional, because other tools write none; if it exists, both checksums must match. */
async function checkStatus(place: SessionFileInput): Promise<readonly Problem[]> {
  const { files, path } = place;
  if (!(await files.stat(path))) return [];
  const seal = path.replace(/(?:\.json)?$/, ".sha256");
  const external = (await files.read(seal, { maxBytes: 4096 }))?.toString();
  const unsealed =
    external === undefined
      ? [warningAt([], `has no ${seal} beside it, which would show a change of the file`)]
      : [];
  return readJson(place, (value, bytes) => {
    const shape = checkClosed(TaskStatusFile, value);
    if (shape.kind === "invalid") return conclude(shape, unsealed);
    const { data: status } = shape;
    const seals = checkSeals({ bytes, status, external });
    return conclude(shape, [...seals, ...checkTaskTimes(status), ...unsealed]);
  });
}

async function readJson<Data>(
  { files, path, refusal }: SessionFileInput,
  check: (value: unknown, bytes: Buffer) => Checked<Data>,
): Promise<readonly Problem[]> {
  const read: Pick<Files, "read"> = { read: (_, options) => files.read(path, options) };
  const bytes = await readSource(read, { maxBytes, missing: refusal });
  const parsed = parseJson({ bytes, file: refusal.file, maxBytes });
  return acceptSource(parsed, { check: (value) => check(value, bytes), refusal }).warnings;
}
