import * as z from "zod";
import { unlessStatus } from "../../src/github/api/expected-refusals.ts";
import type { Clock } from "../../src/platform/system.ts";
import type { Access } from "../access/access.ts";
import { rules } from "../rules/rules.ts";
import type { Notes } from "../store/notes.ts";

const DeliveryAttempt = z.object({
  id: z.int(),
  /** The same for all attempts of one delivery. */
  guid: z.string().max(100),
  delivered_at: z.iso.datetime({ offset: true }),
  status_code: z.int(),
  event: z.string().max(100),
});

/** One attempt of GitHub to deliver an event. */
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>;
const Page = z.array(DeliveryAttempt);

const hourMs = 60 * 60_000;
/** GitHub redelivers nothing older. */
export const redeliveryMs = 3 * 24 * hourMs;
const events = new Set(rules.map(({ event }) => event.split(".", 1)[0]));

/** Answers with which the App itself refused a delivery; it would refuse it again. */
const ownRefusals = [400, 405, 413];

/** The newest attempts of the deliveries that never arrived, oldest first. Pure. */
export function lostDeliveries(sent: readonly DeliveryAttempt[]): DeliveryAttempt[] {
  const hasArrived = ({ status_code: code }: DeliveryAttempt) =>
    (code >= 200 && code < 300) || ownRefusals.includes(code);
  const byGuid = Map.groupBy(
    sent.filter(({ event }) => events.has(event)),
    ({ guid }) => guid,
  );
  return [...byGuid.values()]
    .filter((attempts) => !attempts.some(hasArrived))
    .flatMap((attempts) => attempts.toSorted(byTime).at(-1) ?? [])
    .toSorted(byTime);
}

const byTime = (one: DeliveryAttempt, other: DeliveryAttempt) =>
  Date.parse(one.delivered_at) - Date.parse(other.delivered_at);

interface Redelivering {
  access: Pick<Access, "asApp">;
  notes: Notes;
  clock: Pick<Clock, "now" | "sleep">;
}

/** GitHub asks for a pause of a second between writes. */
const pauseMs = 1000;
/** Redeliveries of one job, so that it ends soon; another job continues. */
const maxPerJob = 25;
/** GitHub may take this long to list a requested redelivery. */
const listingDelayMs = 30 * 60_000;
/** After this many attempts people have to look. */
const maxTries = 5;

/**
 * Asks GitHub to redeliver lost deliveries (F44), which it never does by itself. A delivery that arrives twice has one id
 * and is one job. Returns whether there are more.
 */
export async function redeliverLost({ access, notes, clock }: Redelivering): Promise<boolean> {
  const now = clock.now();
  const sent = await listSent(access, await readSince(notes, now));
  let count = 0;
  for (const { id, guid } of lostDeliveries(sent)) {
    const { tries, at } = await readTries(notes, guid);
    if (tries >= maxTries || at > now - listingDelayMs) continue;
    if (count === maxPerJob) return true;
    if (count++ > 0) await clock.sleep(pauseMs);
    await sendOnce(access, id);
    await put(notes, { id: guid, at: clock.now(), data: { tries: tries + 1 } });
  }
  await put(notes, { id: sweptId, at: now, data: {} });
  // Forget deliveries that GitHub no longer lists.
  await notes.prune("delivery", now - 2 * redeliveryMs);
  return false;
}

/** A delivery that GitHub no longer has counts as an attempt. */
async function sendOnce({ asApp }: Pick<Access, "asApp">, id: number): Promise<void> {
  const sent = asApp("POST /app/hook/deliveries/{delivery_id}/attempts", { delivery_id: id });
  await unlessStatus([404, 410, 422], sent);
}

/** Id of the note with the time of the last complete recovery; no delivery has such an id. */
const sweptId = "swept";

const put = (notes: Notes, note: { id: string; at: number; data: object }) =>
  notes.put({ kind: "delivery", repository: "", ...note });

/** Goes back an hour before the last recovery, so that slow redeliveries are checked again. */
async function readSince(notes: Notes, now: number): Promise<number> {
  const swept = (await notes.get("delivery", sweptId))?.at ?? 0;
  return Math.max(now - redeliveryMs, Math.min(swept, now) - hourMs);
}

const Tries = z.object({ tries: z.int() });

async function readTries(notes: Notes, guid: string): Promise<{ tries: number; at: number }> {
  const note = await notes.get("delivery", guid);
  return note ? { ...Tries.parse(note.data), at: note.at } : { tries: 0, at: 0 };
}

const maxPages = 1000;

/** Attempts since a time; GitHub lists the newest first, with a cursor for the next page. */
async function listSent(
  { asApp }: Pick<Access, "asApp">,
  since: number,
): Promise<DeliveryAttempt[]> {
  const found: DeliveryAttempt[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { data, headers } = await asApp("GET /app/hook/deliveries", {
      per_page: 100,
      ...(cursor !== undefined && { cursor }),
    });
    const sent = Page.parse(data);
    found.push(...sent.filter((each) => Date.parse(each.delivered_at) >= since));
    const last = sent.at(-1);
    cursor = nextCursor(String(headers.link ?? ""));
    if (cursor === undefined || !last || Date.parse(last.delivered_at) < since) break;
  }
  return found;
}

function nextCursor(link: string): string | undefined {
  const [, cursor] = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(link) ?? [];
  return cursor && decodeURIComponent(cursor);
}
