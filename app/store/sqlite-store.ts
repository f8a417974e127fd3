import { DatabaseSync } from "node:sqlite";
import type { System } from "../../src/platform/system.ts";
import { openSqliteNotes } from "./sqlite-notes.ts";
import { openSqliteQueue } from "./sqlite-queue.ts";
import type { Store } from "./store.ts";

/** How long one process waits for another that writes. */
const busyMs = 5000;

/** With full synchronisation what was committed survives a power cut. */
const settings = "pragma journal_mode = wal; pragma synchronous = full;";

/** One file with queue and notes. */
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
