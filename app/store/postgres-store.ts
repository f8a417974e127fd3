import type { Clock } from "../../src/platform/system.ts";
import { connectPostgres } from "./connect-postgres.ts";
import { openPostgresNotes } from "./postgres-notes.ts";
import { openPostgresQueue } from "./postgres-queue.ts";
import type { Store } from "./store.ts";

/** Queue and notes in one database that several replicas share. */
export async function openPostgresStore(
  clock: Pick<Clock, "now" | "sleep">,
  connectionString: string,
  report: (error: Error) => void,
): Promise<Store> {
  const boss = await connectPostgres({ clock, connectionString, report });
  return {
    queue: await openPostgresQueue(boss, clock),
    notes: await openPostgresNotes(boss.getDb()),
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false, close: true }),
  };
}
