import { PgBoss } from "pg-boss";
import type { Store } from "./open-store.ts";
import { openPostgresNotes } from "./postgres-notes.ts";
import { openPostgresQueue, schema } from "./postgres-queue.ts";

/** Connections of one replica. */
const connections = 6;
/** How often a replica looks for jobs whose owner has died. */
const superviseSeconds = 10;

/** Queue and notes in one database, which several replicas share. */
export async function openPostgresStore(
  connectionString: string,
  report: (error: Error) => void,
): Promise<Store> {
  const boss = new PgBoss({
    connectionString,
    schema,
    application_name: "ralph",
    max: connections,
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  boss.on("error", report);
  await boss.start();
  return {
    queue: await openPostgresQueue(boss),
    notes: await openPostgresNotes(boss.getDb()),
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false, close: true }),
  };
}
