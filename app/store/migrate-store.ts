import { DatabaseSync } from "node:sqlite";
import type { System } from "../../src/platform/system.ts";
import { connectPostgres } from "./connect-postgres.ts";
import { openStore, type StorePlace } from "./open-store.ts";
import { migratePostgres } from "./postgres-store.ts";
import type { SchemaVersion } from "./schema-version.ts";
import { migrateSqlite, sqliteFile } from "./sqlite-store.ts";

/** Takes a store to a version of the schema while no App uses it, for instance back before a downgrade. */
export async function migrateStore(
  system: System,
  place: StorePlace,
  to: SchemaVersion,
): Promise<void> {
  const report = () => undefined;
  // Creates what is missing, and refuses a store of a later version.
  await (await openStore(system, place, report))[Symbol.asyncDispose]();
  if (place.databaseUrl === undefined) {
    using db = new DatabaseSync(sqliteFile(place.dataFolder));
    migrateSqlite(db, to);
    return;
  }
  const { clock } = system;
  const boss = await connectPostgres({ clock, connectionString: place.databaseUrl, report });
  await migratePostgres(boss, to).finally(() => boss.stop({ graceful: false, close: true }));
}
