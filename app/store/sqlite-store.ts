import { DatabaseSync } from "node:sqlite";
import { RalphError } from "../../src/error.ts";
import type { System } from "../../src/platform/system.ts";
import { type Note, type Notes, newestKey, type Store } from "./notes.ts";
import * as versions from "./schema-version.ts";
import { openSqliteQueue } from "./sqlite-queue.ts";

/** How long a process waits for another one's write lock. */
const busyMs = 5000;

/** Full synchronisation makes commits survive a power cut. */
const settings = "pragma journal_mode = wal; pragma synchronous = full;";

/** Queue and notes in one file. */
export function openSqliteStore(system: Pick<System, "clock" | "randomHex">, file: string): Store {
  const db = openDatabase(file);
  const store = { queue: openSqliteQueue(system, db), notes: openSqliteNotes(db) };
  migrateSqlite(db, versions.schemaVersion);
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      db.close();
    },
  };
}

/** The embedded database in the data folder. */
export const sqliteFile = (dataFolder: string): string => `${dataFolder}/ralph.sqlite`;

/** Refuses a file that is not a database, belongs to a later version, or is held by another process (exit 1). */
function openDatabase(file: string): DatabaseSync {
  try {
    const db = new DatabaseSync(file, { timeout: busyMs });
    versions.requireKnownVersion(readSqliteVersion(db));
    db.exec(settings);
    return db;
  } catch (error) {
    throw error instanceof RalphError ? error : unusable(file, error);
  }
}

function unusable(file: string, cause: unknown): RalphError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new RalphError("config", {
    message: `The database ${file} cannot be used: ${reason}.`,
    remedy: /locked|busy/.test(reason)
      ? "Stop the other process that uses it; several replicas need PostgreSQL (DATABASE_URL)."
      : "Restore it from a backup, or move it away: the App then starts with an empty one and asks GitHub again.",
    cause,
  });
}

const schema = `
  create table if not exists note (
    kind text not null, id text not null, repository text not null, at real not null, data text not null,
    primary key (kind, id)
  ) strict;
  create index if not exists note_place on note (kind, repository, at);
  create index if not exists note_time on note (kind, at);
`;

const status = `
  coalesce(data ->> '$.outcome', iif(data ->> '$.state' in ('done', 'refused'), data -> '$.ending' ->> '$.kind', null),
    iif(data ->> '$.state' = 'done' and data -> '$.pull' is not null, 'pull', data ->> '$.state'))`;

/** The notes in the embedded database. */
function openSqliteNotes(db: DatabaseSync): Notes {
  db.exec(schema);
  const put = db.prepare(
    `insert into note (kind, id, repository, at, data) values (?, ?, ?, ?, ?)
     on conflict (kind, id) do update set repository = excluded.repository, at = excluded.at, data = excluded.data`,
  );
  const get = db.prepare("select * from note where kind = ? and id = ?");
  const list = db.prepare(
    `select * from note where kind = ?1 and at >= ?2 and at <= ?5 and (at < ?5 or id < ?6)
       and (?3 is null or repository in (select value from json_each(?3)))
       and (?7 is null or ${status} in (select value from json_each(?7)))
     order by at desc, id desc limit ?4`,
  );
  const remove = db.prepare("delete from note where kind = ? and id = ?");
  const prune = db.prepare("delete from note where kind = ? and at < ?");
  return {
    put: async ({ kind, id, repository, at, data }) => {
      put.run(kind, id, repository, at, JSON.stringify(data));
    },
    get: async (kind, id) => {
      const row = get.get(kind, id);
      return row && readRow(row);
    },
    list: async ({ kind, repositories, statuses, since = 0, before = newestKey, limit }) => {
      const [names, states] = [listOf(repositories), listOf(statuses)];
      return list.all(kind, since, names, limit, before.at, before.id, states).map(readRow);
    },
    remove: async (kind, id) => {
      remove.run(kind, id);
    },
    prune: async (kind, olderThan) => {
      prune.run(kind, olderThan);
    },
  };
}

const listOf = (values: readonly string[] | undefined) =>
  values === undefined ? null : JSON.stringify(values);

const readRow = ({ data, ...others }: Record<string, unknown>) =>
  ({ ...others, data: JSON.parse(String(data)) }) as Note;

const names: versions.SchemaNames = {
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
export function migrateSqlite(db: DatabaseSync, to: versions.SchemaVersion): void {
  db.exec("begin immediate");
  try {
    const from = readSqliteVersion(db);
    versions.requireKnownVersion(from);
    for (const sql of versions.migrationSql(names, from, to)) db.exec(sql);
    db.exec(`pragma user_version = ${to}`);
    db.exec("commit");
  } catch (error) {
    if (db.isTransaction) db.exec("rollback");
    throw error;
  }
}
