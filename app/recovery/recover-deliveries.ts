import * as z from "zod";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import type { Clock } from "../../src/platform/system.ts";
import type { Access } from "../access/access.ts";
import { rules } from "../rules/rules.ts";
import type { Notes } from "../store/notes.ts";

const DeliveryAttempt = z.object({
  id: z.int(),
  /** The same for every time it is sent. */
  guid: z.string().max(100),
  delivered_at: z.iso.datetime({ offset: true }),
  status_code: z.int(),
  event: z.string().max(100),
});

/** One attempt of GitHub's to deliver an event. */
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>;
const Page = z.array(DeliveryAttempt);

const hourMs = 60 * 60_000;
/** GitHub sends nothing again that is older. */
export const redeliveryMs = 3 * 24 * hourMs;
const events = new Set(rules.map(({ event }) => event.split(".", 1)[0]));

/** What we ourselves have said no to will be refused again. */
const refusedByUs = [400, 405, 413];

/** The deliveries that have never arrived, each by its newest attempt, oldest first. Pure. */
export function lostDeliveries(sent: readonly DeliveryAttempt[]): DeliveryAttempt[] {
  const hasArrived = ({ status_code: code }: DeliveryAttempt) =>
    (code >= 200 && code < 300) || refusedByUs.includes(code);
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

/** GitHub asks for a second between writes. */
const pauseMs = 1000;
/** Of one job, so that a stop need not wait long; another one goes on. */
const most = 25;
/** GitHub may need so long until it lists what it was asked to send. */
const underWayMs = 30 * 60_000;
/** What does not arrive then is left to people. */
const maxTries = 5;

/**
 * Has GitHub send again what could not be delivered (F44): it never does so by itself. What arrives twice has the same id,
 * and is one job. Answers whether there is more.
 */
export async function redeliverLost({ access, notes, clock }: Redelivering): Promise<boolean> {
  const now = clock.now();
  const sent = await listSent(access, await readSince(notes, now));
  let count = 0;
  for (const { id, guid } of lostDeliveries(sent)) {
    const { tries, at } = await readTries(notes, guid);
    if (tries >= maxTries || at > now - underWayMs) continue;
    if (count === most) return true;
    if (count++ > 0) await clock.sleep(pauseMs);
    await sendOnce(access, id);
    await put(notes, { id: guid, at: clock.now(), data: { tries: tries + 1 } });
  }
  await put(notes, { id: sweptId, at: now, data: {} });
  // Of what GitHub lists no more.
  await notes.prune("delivery", now - 2 * redeliveryMs);
  return false;
}

/** One GitHub does not have any more is as good as one that does not arrive. */
async function sendOnce({ asApp }: Pick<Access, "asApp">, id: number): Promise<void> {
  try {
    await asApp("POST /app/hook/deliveries/{delivery_id}/attempts", { delivery_id: id });
  } catch (error) {
    if (![404, 410, 422].includes(httpStatusOf(error) ?? 0)) throw error;
  }
}

/** Until when everything was seen; no delivery has such an id. */
const sweptId = "swept";

const put = (notes: Notes, note: { id: string; at: number; data: object }) =>
  notes.put({ kind: "delivery", repository: "", ...note });

/** What was sent again by the last sweep is looked at once more, also when it took its time. */
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

/** Attempts since a time; GitHub tells the newest first, and where the next page begins. */
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
