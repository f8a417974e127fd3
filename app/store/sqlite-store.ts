import { DatabaseSync } from "node:sqlite";
import type { System } from "../../src/platform/system.ts";
import { openSqliteNotes } from "./sqlite-notes.ts";
import { openSqliteQueue } from "./sqlite-queue.ts";
import type { Store } from "./store.ts";

/** How long a process waits for another one's write lock. */
const busyMs = 5000;

/** Full synchronisation makes commits survive a power cut. */
const settings = "pragma journal_mode = wal; pragma synchronous = full;";

/** Queue and notes in one file. */
export function openSqliteStore(system: Pick<System, "clock" | "randomHex">, file: string): Store {
  const db = new DatabaseSync(file, { timeout: busyMs });
  db.exec(settings);
  return {
    queue: openSqliteQueue(system, db),
    notes: openSqliteNotes(db),
    async [Symbol.asyncDispose]() {
      db.close();
    },
  };
}
