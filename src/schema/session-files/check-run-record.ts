import { stopReasons } from "../../error.ts";
import { checkClosed } from "../base/check-closed.ts";
import { type Checked, conclude } from "../base/check-shape.ts";
import { errorAt, type Finding, warningAt } from "../base/finding.ts";
import { checkTimes } from "./check-times.ts";
import { RunRecordFile } from "./run-record.ts";

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
