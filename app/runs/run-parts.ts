import type { Clock } from "../../src/platform/system.ts";
import type { WorkRequest } from "../../src/schema/work-request.ts";
import type { Access } from "../access/access.ts";
import type { Notes } from "../store/notes.ts";
import type { DispatchedRun } from "./dispatched-run.ts";

export interface RunParts {
  access: Access;
  notes: Notes;
  clock: Clock;
  /** Ids of bots that may start work. */
  bots: readonly number[];
  /** Address of this App's pages, for whoever wonders who holds a claim. */
  url: string;
}

/** A run to start. */
export interface Start {
  request: WorkRequest;
  /** The label that asked for it: it is removed. */
  label?: string | undefined;
  /** The session of an earlier run that it continues. */
  resumes?: Pick<DispatchedRun, "after" | "pull" | "orders" | "day">;
}

/** A workflow may take six hours, and wait for a runner before. */
export const workflowLeaseMs = 8 * 60 * 60_000;

/** The workflow a repository has for the App; the first pull request writes it. */
export const workflowFile = "ralph.yml";
