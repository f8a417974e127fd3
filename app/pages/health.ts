import type { Page, PageAnswer } from "../front/front.ts";
import type { Queue } from "../store/queue.ts";

const text = (status: number, body: string): PageAnswer => ({ status, type: "text/plain", body });

/** `/healthz`: the process answers. `/readyz`: it can also keep what it is sent. */
export function healthPages(queue: Pick<Queue, "counts">): Map<string, Page> {
  return new Map<string, Page>([
    ["/healthz", async () => text(200, "alive\n")],
    [
      "/readyz",
      async () => {
        const counts = await queue.counts().catch(() => undefined);
        if (!counts) return text(503, "the database is out of reach\n");
        return text(200, `ready, ${counts.ready} jobs wait\n`);
      },
    ],
  ]);
}
