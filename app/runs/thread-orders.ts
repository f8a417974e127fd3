import * as z from "zod";
import type { Place } from "../access.ts";
import type { Notes } from "../store/notes.ts";
import { type RunNote, SaidOrder } from "./run-note.ts";
import type { RunParts } from "./start-run.ts";

/** As many as a workflow takes. */
const mostOrders = 100;

/** The issue or pull request in which people speak about a run; undefined: there is none yet. */
export const threadOf = ({ issue, pull }: RunNote): number | undefined => issue ?? pull?.number;

type Thread = { place: Place; thread: number };

const idOf = ({ place, thread }: Thread) => `${place.repository}#${thread}`;

/** What was said in a thread and no workflow has been told yet, oldest first. */
async function readOrders(notes: Notes, thread: Thread): Promise<SaidOrder[]> {
  const note = await notes.get("orders", idOf(thread));
  return note ? z.array(SaidOrder).parse(note.data) : [];
}

type Said = Thread & { order: SaidOrder; run: RunNote | undefined };

/** Keeps what somebody has said until the next workflow is started; the same comment is kept once. False: it is too much. */
export async function keepOrder(
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

/** A run with everything its next workflow is to be told of. */
export async function withOrders(notes: Notes, run: RunNote): Promise<RunNote> {
  const thread = threadOf(run);
  if (thread === undefined) return run;
  const { place, orders: told = [] } = run;
  const said = await readOrders(notes, { place, thread });
  const news = said.filter(({ comment }) => !told.some((order) => order.comment === comment));
  return news.length === 0 ? run : { ...run, orders: [...told, ...news].slice(-mostOrders) };
}

/** A workflow was started that is told: what is in its run's note need not be kept any longer. */
export async function ordersTold({ notes, clock }: RunParts, run: RunNote): Promise<void> {
  const thread = threadOf(run);
  if (thread === undefined) return;
  const { place, orders: told = [] } = run;
  const said = await readOrders(notes, { place, thread });
  if (said.length === 0) return;
  const orders = said.filter(({ comment }) => !told.some((order) => order.comment === comment));
  await write(notes, { place, thread, orders, at: clock.now() });
}

async function write(
  notes: Notes,
  { orders, at, ...thread }: Thread & { orders: readonly SaidOrder[]; at: number },
): Promise<void> {
  const id = idOf(thread);
  if (orders.length === 0) return notes.remove("orders", id);
  const { repository } = thread.place;
  return notes.put({ kind: "orders", id, repository, at, data: orders });
}
