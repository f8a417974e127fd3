import * as z from "zod";
import type { Place } from "../access/place.ts";
import type { Notes } from "../store/notes.ts";
import { type DispatchedRun, SteeringComment } from "./dispatched-run.ts";
import type { RunParts } from "./run-parts.ts";

/** The most comments a workflow accepts. */
const maxComments = 100;

/** The issue or pull request where people discuss a run; undefined before there is one. */
export const threadOf = ({ request, pull }: DispatchedRun): number | undefined =>
  request.issue ?? pull?.number;

type Thread = { place: Place; thread: number };

const idOf = ({ place, thread }: Thread) => `${place.id}#${thread}`;

/** The queued comments of a thread, oldest first. */
async function readQueue(notes: Notes, thread: Thread): Promise<SteeringComment[]> {
  const note = await notes.get("orders", idOf(thread));
  return note ? z.array(SteeringComment).parse(note.data) : [];
}

type Queued = Thread & { comment: SteeringComment; run: DispatchedRun | undefined };

/** Queues a comment for the next workflow of its thread, once; false if there are too many. */
export async function queueSteering(
  { notes, clock }: Pick<RunParts, "notes" | "clock">,
  { comment: added, run, ...thread }: Queued,
): Promise<boolean> {
  const before = await readQueue(notes, thread);
  const known = [...before, ...(run?.orders ?? [])];
  if (known.some(({ comment }) => comment === added.comment)) return true;
  if (known.length >= maxComments) return false;
  await writeQueue(notes, { ...thread, queue: [...before, added], at: clock.now() });
  return true;
}

/** Commands that name a task, or retry failed ones, only apply to the task list that exists when they are written. */
export const concernsTaskList = ({ verb }: Pick<SteeringComment, "verb">): boolean =>
  verb === "skip" || verb === "retry";

/** A run that resumes no session plans its own task list. */
const appliesTo = ({ after }: DispatchedRun, comment: SteeringComment) =>
  after !== undefined || !concernsTaskList(comment);

/** A run with all comments for its next workflow, in the order they were written. */
export async function withSteering(notes: Notes, run: DispatchedRun): Promise<DispatchedRun> {
  const thread = threadOf(run);
  if (thread === undefined) return run;
  const { place, orders: delivered = [] } = run;
  const queue = await readQueue(notes, { place, thread });
  const added = queue.filter((each) => appliesTo(run, each) && !includes(delivered, each));
  if (added.length === 0) return run;
  // Comment ids grow with time, whichever job ran first.
  const orders = [...delivered, ...added].toSorted((one, other) => one.comment - other.comment);
  return { ...run, orders: orders.slice(-maxComments) };
}

/** Drops queued comments once a workflow has started: those it received, and those that apply to no later run. */
export function forgetDelivered(parts: RunParts, run: DispatchedRun): Promise<void> {
  return keepQueued(parts, run, (each) => appliesTo(run, each) && !includes(run.orders, each));
}

/** The same after an interruption: comments that were written since stay queued. */
export function forgetDeliveredBefore(parts: RunParts, run: DispatchedRun): Promise<void> {
  return keepQueued(parts, run, (each) => !includes(run.orders, each));
}

async function keepQueued(
  { notes, clock }: RunParts,
  run: DispatchedRun,
  isKept: (comment: SteeringComment) => boolean,
): Promise<void> {
  const thread = threadOf(run);
  if (thread === undefined) return;
  const { place } = run;
  const before = await readQueue(notes, { place, thread });
  const queue = before.filter(isKept);
  if (queue.length === before.length) return;
  await writeQueue(notes, { place, thread, queue, at: clock.now() });
}

const includes = (list: readonly SteeringComment[] = [], { comment }: SteeringComment) =>
  list.some((each) => each.comment === comment);

async function writeQueue(
  notes: Notes,
  { queue, at, ...thread }: Thread & { queue: readonly SteeringComment[]; at: number },
): Promise<void> {
  const id = idOf(thread);
  if (queue.length === 0) return notes.remove("orders", id);
  const repository = String(thread.place.id);
  return notes.put({ kind: "orders", id, repository, at, data: queue });
}
