import type { Clock } from "../../src/platform/system.ts";
import { createCache } from "../access/cache.ts";
import type { Store } from "../store/notes.ts";
import type { PageAnswer, Route } from "../webhooks/route.ts";

const text = (status: number, body: string): PageAnswer => ({ status, type: "text/plain", body });

export interface HealthParts extends Pick<Store, "notes" | "queue"> {
  clock: Pick<Clock, "now">;
  report: (error: unknown) => void;
}

/** `/healthz`: the process answers. `/readyz`: it can also store deliveries, which it tries. */
export function healthPages(parts: HealthParts): Route[] {
  const known = createCache<"ready", PageAnswer>({ clock: parts.clock, keptMs, most: 1 });
  const readiness = () => known("ready", () => tryOut(parts));
  return [
    { method: "GET", path: "/healthz", page: async () => text(200, "alive\n") },
    { method: "GET", path: "/readyz", page: readiness },
  ];
}

/** Anyone may ask, so an answer counts for a moment. */
const keptMs = 2000;

/** A full disk can still be read, so one note is written. */
async function tryOut({ notes, queue, clock, report }: HealthParts): Promise<PageAnswer> {
  try {
    const { ready } = await queue.counts();
    const probe = { kind: "probe", id: "readyz", repository: "" } as const;
    await notes.put({ ...probe, at: clock.now(), data: "x".repeat(probeBytes) });
    return text(200, `ready, ${ready} jobs wait\n`);
  } catch (error) {
    report(error);
    return text(503, "the database is out of reach, or cannot be written\n");
  }
}

/** More than fits into the free space of a page. */
const probeBytes = 16 * 1024;
