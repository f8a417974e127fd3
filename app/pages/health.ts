import type { Queue } from "../store/queue.ts";
import type { PageAnswer, Route } from "../webhooks/route.ts";

const text = (status: number, body: string): PageAnswer => ({ status, type: "text/plain", body });

/** `/healthz`: the process answers. `/readyz`: it can also store deliveries. */
export const healthPages = (queue: Pick<Queue, "counts">): Route[] => [
  { method: "GET", path: "/healthz", page: async () => text(200, "alive\n") },
  { method: "GET", path: "/readyz", page: () => readiness(queue) },
];

async function readiness(queue: Pick<Queue, "counts">): Promise<PageAnswer> {
  const counts = await queue.counts().catch(() => undefined);
  if (!counts) return text(503, "the database is out of reach\n");
  return text(200, `ready, ${counts.ready} jobs wait\n`);
}
