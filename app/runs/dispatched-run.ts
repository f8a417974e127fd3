import * as z from "zod";
import { steeringVerbs } from "../../src/github/issues/comment-command.ts";
import { isRecord } from "../../src/schema/base/is-record.ts";
import { WorkRequest } from "../../src/schema/work-request.ts";
import { Place } from "../access/place.ts";
import type { PublishTask } from "../jobs/job.ts";
import { LeftTask } from "../jobs/publication.ts";
import type { Note, Notes } from "../store/notes.ts";
import { Ending } from "./ending.ts";

/** A comment that steers a run. */
export const SteeringComment = z.object({ comment: z.int(), verb: z.enum(steeringVerbs) });
export type SteeringComment = z.output<typeof SteeringComment>;

/** The App's record of a run that it has started or will start; everything else is read from GitHub. */
const Run = z.object({
  /** A UUID; it holds the claim and is part of the workflow run's title. */
  id: z.string(),
  place: Place,
  /** The actor's permission is checked at every start. */
  request: WorkRequest,
  /** Title of its issue when it was asked for. */
  title: z.string().max(200).optional(),
  state: z.enum(["waiting", "claimed", "started", "working", "publishing", "done", "refused"]),
  /** Until a waiting run has begun: `room` under the repository's limits, or the `claim` on its item. */
  waits_for: z.enum(["room", "claim"]).optional(),
  /** A waiting run that will continue its session instead of starting a new one. */
  goes_on: z.literal(true).optional(),
  /** When the agent's usage limit ends and the run continues, milliseconds since 1970. */
  waits_until: z.int().optional(),
  /** The fate of its pull request; `taken-over`: someone else pushed to it. */
  outcome: z.enum(["merged", "rejected", "taken-over"]).optional(),
  /** How it ended, once it is done or refused. */
  ending: Ending.optional(),
  /** The login that asked to cancel it. */
  cancelled_by: z.string().max(120).optional(),
  /** Why it waits or was refused, or how it ended: one sentence for people. */
  words: z.string().optional(),
  claim: z.object({ item: z.string(), commit: z.string() }).optional(),
  workflow: z.object({ run: z.int(), attempt: z.int(), url: z.string() }).optional(),
  /** Steering comments for its workflow, oldest first; the workflow reads their text itself (T28). */
  orders: z.array(SteeringComment).optional(),
  /** The workflow run whose session it continues; that run and all earlier ones are over. */
  after: z.int().optional(),
  pull: z.object({ number: z.int(), url: z.string() }).optional(),
  cost_usd: z.number().optional(),
  /** For a session that continues on another day or in another run: when this part began, and the cost until then. */
  day: z.object({ began_at: z.int(), cost_usd: z.number() }).optional(),
  tasks: z.object({ passed: z.int(), total: z.int() }).optional(),
  /** The first tasks that have not passed. */
  left: z.array(LeftTask).optional(),
  /** The branch of its pull request. */
  branch: z.string().optional(),
  started_at: z.int(),
  changed_at: z.int(),
});

/** A stored run; the previous version's shape is read as well. */
export const DispatchedRun = z.preprocess(upgradeRun, Run);
export type DispatchedRun = z.output<typeof Run>;

/** The previous version stored `command`, `item`, `issue`, `among` and `wish` instead of the request. */
function upgradeRun(data: unknown): unknown {
  if (!isRecord(data) || data.request !== undefined) return data;
  const { command, item, issue, among, asker: _, wish, ...run } = data;
  // A label without an actor is denied, so a run of unknown origin never starts again.
  const { trigger = "label", sender: actor, text: textDigest } = isRecord(wish) ? wish : {};
  const alternativeIssue = among === true ? issue : undefined;
  const overridesRejection = trigger === "start-command" || trigger === "dashboard";
  const work = { command, item, issue, alternativeIssue, textDigest };
  return { ...run, request: { ...work, overridesRejection, trigger, actor } };
}

/** Whether a run is not over yet. */
export const isOpen = ({ state }: DispatchedRun): boolean =>
  state !== "done" && state !== "refused";

/** Saves a run. */
export function saveRun(notes: Notes, run: DispatchedRun): Promise<void> {
  const { id, place, started_at: at } = run;
  return notes.put({ kind: "run", id, repository: String(place.id), at, data: run });
}

/** The run with an id, if it belongs to the repository; it gets the repository's address given here. */
export async function findRun(
  notes: Notes,
  { id, place }: { id: string; place: Place },
): Promise<DispatchedRun | undefined> {
  const note = await notes.get("run", id);
  return note?.repository === String(place.id) ? { ...parseRun(note), place } : undefined;
}

/** More runs than a repository has had lately. */
const maxRuns = 1000;

/** Runs of a repository under the address given here, newest first. Those of a later version are left out. */
export async function listRuns(
  notes: Notes,
  { place, limit = maxRuns }: { place: Place; limit?: number },
): Promise<DispatchedRun[]> {
  const found = await notes.list({ kind: "run", repositories: [String(place.id)], limit });
  return found.flatMap(({ data }) => {
    const run = DispatchedRun.safeParse(data).data;
    return run ? [{ ...run, place }] : [];
  });
}

const parseRun = ({ data }: Note): DispatchedRun => DispatchedRun.parse(data);

/** The attempt of a run's workflow to publish or to continue. */
export function publishTaskOf({ id: runId, place, workflow }: DispatchedRun): PublishTask {
  const { run, attempt } = workflow ?? { run: 0, attempt: 0 };
  return { place, runId, workflow: { run, attempt } };
}

/** Whether its workflow was started, so that it counts for the day's limits. */
export const wasStarted = ({ workflow, state }: DispatchedRun): boolean =>
  workflow !== undefined || state === "started";

/** Whether the run's pull request holds only a plan, which waits for approval. */
export const isPlan = ({ request, workflow, pull, tasks, outcome }: DispatchedRun): boolean =>
  request.command === "autopilot" && Boolean(workflow && pull) && !tasks && !outcome;
