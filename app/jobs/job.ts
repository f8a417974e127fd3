import * as z from "zod";
import { CommentCommand } from "../../src/github/issues/comment-command.ts";
import { Actor, WorkRequest } from "../../src/schema/work-request.ts";
import { Place } from "../access/place.ts";
import { upgradeJobData } from "./old-jobs.ts";
import { PermanentJobError } from "./permanent-job-error.ts";

const job = <Kind extends string, Data extends z.ZodRawShape>(kind: Kind, data: Data) =>
  z.object({ kind: z.literal(kind), data: z.object(data) });

const place = { place: Place };
/** Who did it, and the comment in which they asked. */
const asked = { actor: Actor.optional(), comment: z.int().optional() };
const workflow = z.object({ run: z.int(), attempt: z.int() });

const kinds = [
  /** An event of GitHub's, as it was delivered. */
  job("delivery", { event: z.string(), payload: z.unknown() }),
  job("start", { ...place, request: WorkRequest, label: z.string().optional() }),
  job("report", { ...place, request: WorkRequest }),
  /** A command in a comment. `textDigest`: of what the issue said then. */
  job("steer", {
    ...place,
    ...asked,
    command: CommentCommand,
    issue: z.int(),
    isPull: z.boolean(),
    textDigest: z.string().optional(),
  }),
  job("explain", { ...place, ...asked, issue: z.int(), problem: z.string() }),
  job("answer", { ...place, issue: z.int(), comment: z.int(), body: z.string() }),
  job("workflow", { ...place, run: z.int() }),
  /** `runId` is the App's run, `workflow` GitHub's. */
  job("publish", { ...place, runId: z.string(), workflow }),
  job("continue", { ...place, runId: z.string(), workflow }),
  job("pull-closed", { ...place, pull: z.int() }),
  job("human-push", { ...place, pull: z.int() }),
  /** Boxes of the dashboard issue that were ticked. */
  job("dashboard", { ...place, ...asked, issue: z.int(), boxes: z.array(z.string()) }),
  /** Brings the dashboard issue up to date. `cleared`: boxes that are done; all others stay as they are. */
  job("show", { ...place, cleared: z.array(z.string()) }),
  /** A repository is new; then its installation's turn; then the offer of a first pull request. */
  job("welcome", place),
  job("pace", place),
  job("offer", place),
  /** A second look at a repository. */
  job("recheck", place),
  /** A look at the runs that wait in a repository. */
  job("wake", place),
  job("schedule", { ...place, slot: z.number(), kind: z.enum(["due", "skipped"]) }),
  job("tick", {}),
  job("sweep", {}),
  job("redeliver", {}),
] as const;

/** What the App's queue keeps. Only ids and the request: every fact is read again when the job is done (T28). */
export const Job = z.discriminatedUnion("kind", kinds, { error: "unknown kind of job" });
export type Job = z.infer<typeof Job>;

export type JobKind = Job["kind"];
export type JobData = { [Kind in JobKind]: Extract<Job, { kind: Kind }>["data"] };
/** A workflow whose result is to be published, or whose session is to be continued. */
export type PublishTask = JobData["publish"];

/** Reads what the queue has kept; what cannot be read is never tried again. Data of the previous version is upgraded. */
export function parseJob({ kind, data }: { kind: string; data: unknown }): Job {
  const parsed = Job.safeParse({ kind, data: upgradeJobData(kind, data) });
  if (parsed.success) return parsed.data;
  throw new PermanentJobError(
    `This job of the kind ${JSON.stringify(kind)} cannot be read; another version of the App stored it: ${z.prettifyError(parsed.error)}`,
  );
}
