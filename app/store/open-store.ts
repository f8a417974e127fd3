import { basename, dirname } from "node:path/posix";
import type { System } from "../../src/platform/system.ts";
import type { Store } from "./notes.ts";

export interface StorePlace {
  /** `postgres://…`; undefined for the embedded database. */
  databaseUrl: string | undefined;
  /** Folder of the embedded database; created if missing. */
  dataFolder: string;
}

/**
 * Opens PostgreSQL if a URL is given, else a file in the data folder; only the engine in use is loaded. Calls `report`
 * while the database is temporarily unreachable.
 */
export async function openStore(
  system: System,
  { databaseUrl, dataFolder }: StorePlace,
  report: (error: Error) => void,
): Promise<Store> {
  if (databaseUrl !== undefined) {
    const { openPostgresStore } = await import("./postgres-store.ts");
    return openPostgresStore(system.clock, databaseUrl, report);
  }
  await system.files(dirname(dataFolder)).makeFolder(basename(dataFolder));
  const { openSqliteStore, sqliteFile } = await import("./sqlite-store.ts");
  return openSqliteStore(system, sqliteFile(dataFolder));
}
