import { randomUUID } from "node:crypto";
import { DispatchedRun, saveRun } from "../../../app/runs/dispatched-run.ts";
import type { Store } from "../../../app/store/notes.ts";
import type { WorkRequest } from "../../../src/schema/work-request.ts";
import { place } from "./running-app.ts";

/** A label's request for a run of issue 12; `change` takes the place of what is usual. */
export const workRequest = (change: Partial<WorkRequest> = {}): WorkRequest => ({
  ...{ command: "run", item: "issue-12", issue: 12, overridesRejection: false, trigger: "label" },
  ...change,
});

/** A request for the newest report. */
export const reportsRequest = (change: Partial<WorkRequest> = {}): WorkRequest => ({
  ...{ command: "autopilot", item: "reports", overridesRejection: false, trigger: "label" },
  ...change,
});

/** A run that is over; `change` takes the place of what is usual. */
export const dispatchedRun = (change: Partial<DispatchedRun> = {}): DispatchedRun => ({
  ...{ id: randomUUID(), place, request: workRequest(), state: "done" },
  ...{ started_at: Date.now() - 3_600_000, changed_at: Date.now() - 3_600_000 },
  ...change,
});

export async function readRun({ notes }: Store, { id }: DispatchedRun): Promise<DispatchedRun> {
  return DispatchedRun.parse((await notes.get("run", id))?.data);
}

export const keep = ({ notes }: Store, run: DispatchedRun) => saveRun(notes, run);
