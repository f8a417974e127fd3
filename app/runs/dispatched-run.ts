import * as z from "zod";
import { steeringVerbs } from "../../src/github/issues/comment-command.ts";
import { WorkRequest } from "../../src/schema/work-request.ts";
import { Place } from "../access/place.ts";
import type { Note, Notes } from "../store/notes.ts";
import { upgradeRun } from "./old-runs.ts";

/** A comment that steers a run. */
export const SteeringComment = z.object({ comment: z.int(), verb: z.enum(steeringVerbs) });
export type SteeringComment = z.output<typeof SteeringComment>;

/** The App's record of a run it has started or will start; GitHub knows everything else. */
const Run = z.object({
  /** A UUID: the claim's holder, and what the workflow's title says. */
  id: z.string(),
  place: Place,
  /** Rights are asked for each time it starts. */
  request: WorkRequest,
  state: z.enum(["waiting", "claimed", "started", "working", "publishing", "done", "refused"]),
  /** While it waits, and until it has begun then: `room` is the repository's; a `claim` is on the item alone. */
  waits_for: z.enum(["room", "claim"]).optional(),
  /** While it waits: its session goes on then, instead of a new one beginning. */
  goes_on: z.literal(true).optional(),
  /** While it is published and goes on later: when the usage limit of the agent ends, milliseconds since 1970. */
  waits_until: z.int().optional(),
  /** What people made of its pull request; `taken-over`: somebody else pushed to it. */
  outcome: z.enum(["merged", "rejected", "taken-over"]).optional(),
  /** Why it waits, was refused, or how it ended: one sentence for people. */
  words: z.string().optional(),
  claim: z.object({ item: z.string(), commit: z.string() }).optional(),
  workflow: z.object({ run: z.int(), attempt: z.int(), url: z.string() }).optional(),
  /** Comments its workflow is told of, in the order they came; what they say it reads itself (T28). */
  orders: z.array(SteeringComment).optional(),
  /** The workflow run whose session is gone on with: it and all before it are over. */
  after: z.int().optional(),
  pull: z.object({ number: z.int(), url: z.string() }).optional(),
  cost_usd: z.number().optional(),
  /** Of a session that goes on, on another day or in another run: when its part began, and what it had cost by then. */
  day: z.object({ began_at: z.int(), cost_usd: z.number() }).optional(),
  tasks: z.object({ passed: z.int(), total: z.int() }).optional(),
  started_at: z.int(),
  changed_at: z.int(),
});

/** A run as its note has it, in today's shape or the previous one. */
export const DispatchedRun = z.preprocess(upgradeRun, Run);
export type DispatchedRun = z.output<typeof Run>;

/** Runs that still need somebody. */
export const isOpen = ({ state }: DispatchedRun): boolean =>
  state !== "done" && state !== "refused";

/** Keeps a run as it is now. */
export function saveRun(notes: Notes, run: DispatchedRun): Promise<void> {
  const { id, place, started_at: at } = run;
  return notes.put({ kind: "run", id, repository: place.repository, at, data: run });
}

/** The run with an id, as long as it belongs to the repository that asks for it. */
export async function findRun(
  notes: Notes,
  { id, repository }: { id: string; repository: string },
): Promise<DispatchedRun | undefined> {
  const note = await notes.get("run", id);
  return note?.repository === repository ? readRun(note) : undefined;
}

/** More than a repository has had lately. */
const keptInSight = 1000;

/** Runs of a repository, newest first. */
export async function listRuns(
  notes: Notes,
  wanted: { repositories?: readonly string[]; since?: number; limit?: number },
): Promise<DispatchedRun[]> {
  return (await notes.list({ kind: "run", limit: keptInSight, ...wanted })).map(readRun);
}

const readRun = ({ data }: Note): DispatchedRun => DispatchedRun.parse(data);

/** Whether a workflow has been started for it: what the limits of a day count. */
export const wasStarted = ({ workflow, state }: DispatchedRun): boolean =>
  workflow !== undefined || state === "started";

/** A plan without its session: a pull request that holds only the document, and waits for a reader. */
export const isPlan = ({ request, workflow, pull, tasks, outcome }: DispatchedRun): boolean =>
  request.command === "autopilot" && Boolean(workflow && pull) && !tasks && !outcome;
