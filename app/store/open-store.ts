import { basename, dirname } from "node:path/posix";
import type { System } from "../../src/platform/system.ts";
import type { Store } from "./store.ts";

export interface StorePlace {
  /** `postgres://…`; undefined: embedded. */
  databaseUrl: string | undefined;
  /** Of the embedded database; made when it is missing. */
  dataFolder: string;
}

/**
 * PostgreSQL where a URL names one, else a file below the data folder; each engine is loaded only when it is used.
 * `report` hears of a database that is away for a while.
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
  const { openSqliteStore } = await import("./sqlite-store.ts");
  return openSqliteStore(system, `${dataFolder}/ralph.sqlite`);
}
