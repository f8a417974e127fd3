import * as z from "zod";
import type { Place } from "../access/place.ts";
import type { Notes } from "../store/notes.ts";
import { type DispatchedRun, SteeringComment } from "./dispatched-run.ts";
import type { RunParts } from "./run-parts.ts";

/** As many as a workflow takes. */
const mostOrders = 100;

/** The issue or pull request in which people speak about a run; undefined: there is none yet. */
export const threadOf = ({ request, pull }: DispatchedRun): number | undefined =>
  request.issue ?? pull?.number;

type Thread = { place: Place; thread: number };

const idOf = ({ place, thread }: Thread) => `${place.repository}#${thread}`;

/** What was said in a thread and no workflow has been told yet, oldest first. */
async function readOrders(notes: Notes, thread: Thread): Promise<SteeringComment[]> {
  const note = await notes.get("orders", idOf(thread));
  return note ? z.array(SteeringComment).parse(note.data) : [];
}

type Said = Thread & { order: SteeringComment; run: DispatchedRun | undefined };

/** Keeps what somebody has said until the next workflow is started; the same comment is kept once. False: it is too much. */
export async function keepSteering(
  { notes, clock }: Pick<RunParts, "notes" | "clock">,
  { order, run, ...thread }: Said,
): Promise<boolean> {
  const before = await readOrders(notes, thread);
  const known = [...before, ...(run?.orders ?? [])];
  if (known.some(({ comment }) => comment === order.comment)) return true;
  if (known.length >= mostOrders) return false;
  await write(notes, { ...thread, orders: [...before, order], at: clock.now() });
  return true;
}

/** What names a task, or those that failed, is about the list there is when it is said, and about no other. */
export const concernsTaskList = ({ verb }: Pick<SteeringComment, "verb">): boolean =>
  verb === "skip" || verb === "retry";

/** A run that goes on with no session plans a list of its own. */
const isFor = ({ after }: DispatchedRun, order: SteeringComment) =>
  after !== undefined || !concernsTaskList(order);

/** A run with everything its next workflow is to be told of, in the order it was said. */
export async function withSteering(notes: Notes, run: DispatchedRun): Promise<DispatchedRun> {
  const thread = threadOf(run);
  if (thread === undefined) return run;
  const { place, orders: told = [] } = run;
  const said = await readOrders(notes, { place, thread });
  const news = said.filter((order) => isFor(run, order) && !isAmong(told, order));
  if (news.length === 0) return run;
  // Whatever was done first: comments are numbered as they come.
  const orders = [...told, ...news].toSorted((one, other) => one.comment - other.comment);
  return { ...run, orders: orders.slice(-mostOrders) };
}

/** A workflow was started that is told: what it has heard, or nobody is to hear any more, need not be kept any longer. */
export function forgetDelivered(parts: RunParts, run: DispatchedRun): Promise<void> {
  return keepOnly(parts, run, (order) => isFor(run, order) && !isAmong(run.orders, order));
}

/** The same once more, when somebody was killed in between; what was said since is kept. */
export function forgetDeliveredBefore(parts: RunParts, run: DispatchedRun): Promise<void> {
  return keepOnly(parts, run, (order) => !isAmong(run.orders, order));
}

async function keepOnly(
  { notes, clock }: RunParts,
  run: DispatchedRun,
  isKept: (order: SteeringComment) => boolean,
): Promise<void> {
  const thread = threadOf(run);
  if (thread === undefined) return;
  const { place } = run;
  const said = await readOrders(notes, { place, thread });
  const orders = said.filter(isKept);
  if (orders.length === said.length) return;
  await write(notes, { place, thread, orders, at: clock.now() });
}

const isAmong = (told: readonly SteeringComment[] = [], { comment }: SteeringComment) =>
  told.some((order) => order.comment === comment);

async function write(
  notes: Notes,
  { orders, at, ...thread }: Thread & { orders: readonly SteeringComment[]; at: number },
): Promise<void> {
  const id = idOf(thread);
  if (orders.length === 0) return notes.remove("orders", id);
  const { repository } = thread.place;
  return notes.put({ kind: "orders", id, repository, at, data: orders });
}
