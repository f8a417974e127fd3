import type { JobData } from "../jobs/job.ts";

type EventKind =
  | "start"
  | "report"
  | "steer"
  | "explain"
  | "workflow"
  | "pull-closed"
  | "human-push"
  | "dashboard"
  | "welcome"
  | "recheck";

/** What an event leads to: a job that does not name its repository yet. */
export type JobDraft = {
  [Kind in EventKind]: { kind: Kind } & Omit<JobData[Kind], "place">;
}[EventKind];

/** A draft with what makes it the same as another one (F42). */
export interface KeyedDraft {
  draft: JobDraft;
  /** `owner/name`, where the event itself belongs to no repository. */
  repository?: string;
  key: readonly (string | number)[];
}
