import { stopReasons } from "../../error.ts";
import { type Checked, checkClosed, conclude } from "../base/check-shape.ts";
import { errorAt, type Finding, warningAt } from "../base/finding.ts";
import { canonicalChecksum, sha256 } from "./checksum.ts";
import { RunRecordFile } from "./run-record.ts";
import type { SessionFile } from "./session.ts";
import type { TaskStatusFile } from "./task-status.ts";
import type { TimelineEvent } from "./timeline-event.ts";

/** The bytes of task-status.json, and the text of task-status.sha256 if there is one. */
type SealedStatus = {
  bytes: Uint8Array;
  status: TaskStatusFile;
  external: string | undefined;
};

/** Whether both checksums belong to this file (specs 004 8.3). The external one may have any form of compatibility 1.3. */
export function checkSeals({ bytes, status, external }: SealedStatus): Finding[] {
  const canonical = canonicalChecksum(status);
  const embedded = status.checksum === canonical ? [] : ["is not the checksum of this file"];
  const seal = external === undefined ? [] : checkExternal(external, { bytes, canonical });
  return [
    ...embedded.map((message) => errorAt(["checksum"], message)),
    ...seal.map((message) => errorAt([], message)),
  ];
}

function checkExternal(
  external: string,
  { bytes, canonical }: { bytes: Uint8Array; canonical: string },
): string[] {
  const [, form, digest] =
    /^(sha256:)?([0-9a-f]{64})(?: [ *][^\r\n]+)?\r?\n?$/.exec(external) ?? [];
  if (digest === undefined) return ["has a task-status.sha256 that holds no checksum"];
  const isSame = form ? canonical === `${form}${digest}` : sha256(bytes) === digest;
  return isSame ? [] : ["was changed after task-status.sha256 was written"];
}

/** Findings about lines that are earlier than the previous one; equal times are allowed. Paths hold the index. */
export function checkTimeOrder(events: readonly Pick<TimelineEvent, "ts">[]): Finding[] {
  return events.flatMap(({ ts }, index): Finding[] => {
    const before = events[index - 1];
    if (!before || Date.parse(ts) >= Date.parse(before.ts)) return [];
    return [errorAt([index, "ts"], `is earlier than ${before.ts} of the line before`)];
  });
}

/** Checks that the keys of session.json agree. */
export function checkSession(session: SessionFile): Finding[] {
  const { session_id, session_token, started_at, ended_at } = session;
  const { completed_tasks = [], pending_tasks = [] } = session;
  const both = pending_tasks.flatMap((id, index) =>
    completed_tasks.includes(id)
      ? [errorAt(["pending_tasks", index], `is ${id}, which is in completed_tasks too`)]
      : [],
  );
  const isOurs = session_token.startsWith(`ralph-${session_id}`);
  const strange = warningAt(["session_token"], "does not begin with the id of this session");
  return [...checkTimes([], { started_at, ended_at }), ...both, ...(isOurs ? [] : [strange])];
}

/** No task may end before it began. */
export function checkTaskTimes({ tasks }: TaskStatusFile): Finding[] {
  return Object.entries(tasks).flatMap(([id, { started_at, completed_at }]) =>
    checkTimes(["tasks", id], { started_at, completed_at }),
  );
}

/** Checks times that must be in the given order (specs 004 8.3). A finding for each that is too early. */
function checkTimes(
  path: readonly PropertyKey[],
  times: Readonly<Record<string, string | undefined>>,
): Finding[] {
  const given = Object.entries(times).flatMap(([key, time]) =>
    time === undefined ? [] : [{ key, time }],
  );
  return given.flatMap(({ key, time }, index) => {
    const before = given[index - 1];
    if (!before || Date.parse(time) >= Date.parse(before.time)) return [];
    return [errorAt([...path, key], `is earlier than ${before.key}, which is ${before.time}`)];
  });
}

/** All errors and warnings of a run record at once (specs 004 10.4). */
export function checkRunRecord(value: unknown): Checked<RunRecordFile> {
  const shape = checkClosed(RunRecordFile, value);
  return conclude(shape, shape.kind === "valid" ? ruled(shape.data) : []);
}

function ruled(record: RunRecordFile): Finding[] {
  const { tasks_completed: done = 0, tasks_total: all = done, pr_created, pr_url } = record;
  const { started_at, completed_at, status, stop_reason } = record;
  const succeeded = stop_reason !== undefined && stopReasons[stop_reason] === 0;
  return [
    ...checkTimes([], { started_at, completed_at }),
    ...(done > all
      ? [errorAt(["tasks_completed"], `is ${done}, more than tasks_total, which is ${all}`)]
      : []),
    ...(succeeded && status !== "completed"
      ? [errorAt(["status"], `is ${status} although stop_reason is ${stop_reason}`)]
      : []),
    ...(pr_created === false && pr_url !== undefined
      ? [errorAt(["pr_url"], "names a pull request although pr_created is false")]
      : []),
    ...(pr_created === true && pr_url === undefined
      ? [warningAt(["pr_created"], "is true, but pr_url does not say which pull request it is")]
      : []),
  ];
}
