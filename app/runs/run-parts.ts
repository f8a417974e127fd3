import type { Clock } from "../../src/platform/system.ts";
import type { WorkRequest } from "../../src/schema/work-request.ts";
import type { Access } from "../access/access.ts";
import type { RecordEvent } from "../events/recorder.ts";
import type { Notes } from "../store/notes.ts";
import type { DispatchedRun } from "./dispatched-run.ts";

export interface RunParts {
  access: Access;
  notes: Notes;
  clock: Clock;
  /** Ids of bots that may start work. */
  bots: readonly number[];
  /** Address of the App's pages; claims name it. */
  url: string;
  /** Reports what happens to runs and repositories. */
  record: RecordEvent;
}

/** A run to start. */
export interface Start {
  request: WorkRequest;
  /** The label behind the request; it is removed. */
  label?: string | undefined;
  /** The session of an earlier run that this one continues. */
  resumes?: Pick<DispatchedRun, "after" | "pull" | "orders" | "day">;
}

/** A workflow may take six hours, and wait for a runner before that. */
export const workflowLeaseMs = 8 * 60 * 60_000;
