import * as z from "zod";
import { CommentCommand } from "../../src/github/issues/comment-command.ts";
import { isRecord } from "../../src/schema/base/is-record.ts";
import { Actor, WorkRequest } from "../../src/schema/work-request.ts";
import { Place } from "../access/place.ts";
import { Push, PushEnd } from "./publication.ts";

const job = <Kind extends string, Data extends z.ZodRawShape>(kind: Kind, data: Data) =>
  z.object({ kind: z.literal(kind), data: z.object(data) });

const place = { place: Place };
/** The account behind the event, and the id of its comment. */
const asked = { actor: Actor.optional(), comment: z.int().optional() };
const workflow = z.object({ run: z.int(), attempt: z.int() });

const kinds = [
  /** An event as GitHub delivered it. */
  job("delivery", { event: z.string(), payload: z.unknown() }),
  job("start", { ...place, request: WorkRequest, label: z.string().optional() }),
  job("report", { ...place, request: WorkRequest }),
  /** A command in a comment. `textDigest`: digest of the issue's text at that time. */
  job("steer", {
    ...place,
    ...asked,
    command: CommentCommand,
    issue: z.int(),
    isPull: z.boolean(),
    textDigest: z.string().optional(),
  }),
  job("explain", { ...place, ...asked, issue: z.int(), problem: z.string() }),
  /** Words, or a reaction where none are needed. */
  job("answer", {
    ...place,
    issue: z.int(),
    comment: z.int(),
    body: z.string(),
    reaction: z.literal("+1").optional(),
  }),
  job("workflow", { ...place, run: z.int() }),
  /** `runId` is the App's run, `workflow` the run on GitHub. */
  job("publish", { ...place, runId: z.string(), workflow }),
  /** The long part of a publication, beside the other work of its repository; then its outcome. */
  job("push", { ...place, runId: z.string(), workflow, push: Push }),
  job("settle", { ...place, runId: z.string(), workflow, end: PushEnd }),
  job("continue", { ...place, runId: z.string(), workflow }),
  job("pull-closed", { ...place, pull: z.int() }),
  job("human-push", { ...place, pull: z.int() }),
  /** A person's action on the page of a run. */
  job("act", { ...place, run: z.string(), action: z.enum(["cancel", "retry"]), actor: Actor }),
  /** Boxes that someone ticked in the dashboard issue. */
  job("dashboard", { ...place, ...asked, issue: z.int(), boxes: z.array(z.string()) }),
  /** Updates the dashboard issue and clears these boxes. */
  job("show", { ...place, cleared: z.array(z.string()) }),
  /** Onboarding of a new repository: check it, wait for the installation's turn, open the setup pull request. */
  job("welcome", place),
  job("pace", place),
  job("offer", place),
  /** A person asks for the setup pull request now; the comment is answered. */
  job("setup", { ...place, issue: z.int(), comment: z.int() }),
  /** Finds the id of a repository that version 1 of the store knew by its name only. */
  job("adopt", { named: Place.omit({ id: true }) }),
  /** A repository was deleted. */
  job("deleted", place),
  /** Compares the repositories of an installation with GitHub, after it was suspended. */
  job("reinstalled", { installation: z.int() }),
  /** Compares a repository's runs with GitHub. */
  job("recheck", place),
  /** Retries a repository's waiting runs. */
  job("wake", place),
  job("schedule", { ...place, slot: z.number(), kind: z.enum(["due", "skipped"]) }),
  job("tick", {}),
  job("sweep", {}),
  job("redeliver", {}),
] as const;

/** A job in the App's queue. It holds only ids and the request: every fact is read again when the job runs (T28). */
export const Job = z.discriminatedUnion("kind", kinds, { error: "unknown kind of job" });
export type Job = z.infer<typeof Job>;

export type JobKind = Job["kind"];
export type JobData = { [Kind in JobKind]: Extract<Job, { kind: Kind }>["data"] };
/** A job as its handler gets it. */
export type JobTask<Kind extends JobKind> = { id: string; data: JobData[Kind] };
/** A workflow run to publish or to continue. */
export type PublishTask = JobData["publish"];

/** Parses a stored job, also in the shape of the previous version; an unreadable job fails permanently. */
export function parseJob({ kind, data }: { kind: string; data: unknown }): Job {
  const parsed = Job.safeParse({ kind, data: upgradeJobData(kind, data) });
  if (parsed.success) return parsed.data;
  throw new PermanentJobError(
    `A job of the kind ${JSON.stringify(kind)}, stored by another version of the App, cannot be read: ${z.prettifyError(parsed.error)}`,
  );
}

type Data = Readonly<Record<string, unknown>>;

/**
 * Converts job data of the version that stored `{ place, wanted: { kind, asker, … } }`; other data stays as it is. The
 * schema validates the result. Pure.
 */
function upgradeJobData(kind: string, data: unknown): unknown {
  if (!isRecord(data) || !isRecord(data.wanted)) return data;
  const { place, wanted } = data;
  const { asker, text, ...details } = wanted;
  const { sender, commentId } = isRecord(asker) ? asker : {};
  if (kind === "start" || kind === "report") {
    return { place, label: details.label, request: requestOf(kind, { ...wanted, actor: sender }) };
  }
  return { ...details, place, actor: sender, comment: commentId, textDigest: text };
}

function requestOf(kind: "start" | "report", { actor, ...old }: Data): unknown {
  if (kind === "report") {
    const request = { command: "autopilot", item: "reports", trigger: "report-push" };
    return { ...request, overridesRejection: false, actor };
  }
  const { command, item, issue, among, text: textDigest, label } = old;
  const trigger = command === "autopilot" ? "autopilot-label" : "label";
  return {
    ...{ command, item, issue, alternativeIssue: among === true ? issue : undefined, textDigest },
    trigger: label === undefined ? "start-command" : trigger,
    overridesRejection: label === undefined,
    actor,
  };
}

/** An error that no retry can fix: the job becomes a dead letter. */
export class PermanentJobError extends Error {}
