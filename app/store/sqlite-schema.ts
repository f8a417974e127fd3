import type { DatabaseSync } from "node:sqlite";
import {
  migrationSql,
  requireKnownVersion,
  type SchemaNames,
  type SchemaVersion,
} from "./schema-version.ts";

const names: SchemaNames = {
  ...{ notes: "note", jobs: "job", group: "grp", place: "data -> 'place'" },
  isLive: "state <> 'done'",
  setAddress: (column) => `json_set(data, '$.place.repository', ${column})`,
};

/** The schema's version; 1 for a store of the App's first versions, which wrote none. */
export function readSqliteVersion(db: DatabaseSync): number {
  const { user_version: found } = db.prepare("pragma user_version").get() ?? {};
  return Number(found) || 1;
}

/** Refuses a store of a later version; takes any other to the given one, completely or not at all. */
export function migrateSqlite(db: DatabaseSync, to: SchemaVersion): void {
  db.exec("begin immediate");
  try {
    const from = readSqliteVersion(db);
    requireKnownVersion(from);
    for (const sql of migrationSql(names, from, to)) db.exec(sql);
    db.exec(`pragma user_version = ${to}`);
    db.exec("commit");
  } catch (error) {
    if (db.isTransaction) db.exec("rollback");
    throw error;
  }
}
