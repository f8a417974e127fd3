import type { ListedJob, Queue } from "../../../app/store/queue.ts";

/** The dead jobs of some groups. */
export const listDead = (queue: Queue, ...groups: string[]): Promise<ListedJob[]> =>
  queue.list({ state: "dead", groups, limit: 100 });
