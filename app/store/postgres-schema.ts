import type { PgBoss } from "pg-boss";
import { jobTable } from "./postgres-jobs.ts";
import {
  migrationSql,
  requireKnownVersion,
  type SchemaNames,
  type SchemaVersion,
} from "./schema-version.ts";

const names: SchemaNames = {
  ...{ notes: "ralph_note", jobs: jobTable, group: "group_id" },
  ...{ place: "(data -> 'data' -> 'place')", isLive: "state <> 'completed'" },
  setAddress: (column) => `jsonb_set(data, '{place,repository}', to_jsonb(${column}))`,
};

const versionTable = "create table if not exists ralph_schema (version integer not null)";

/** Two replicas may start at the same time. */
const lock = "select pg_advisory_xact_lock(7261685)";

/** Refuses a store of a later version; takes any other to the given one, completely or not at all. */
export async function migratePostgres(boss: PgBoss, to: SchemaVersion): Promise<void> {
  const db = boss.getDb();
  const { rows } = await db
    .executeSql(
      `begin; ${lock}; ${versionTable}; commit; select max(version) as version from ralph_schema`,
    )
    .then(lastOf);
  const from = Number(rows[0]?.version ?? 1);
  requireKnownVersion(from);
  if (from === to) return;
  const statements = [...migrationSql(names, from, to), "delete from ralph_schema"];
  const set = `insert into ralph_schema (version) values (${to})`;
  await db.executeSql(["begin", lock, ...statements, set, "commit"].join("; "));
}

type Answer = { rows: { version?: unknown }[] };

/** The driver answers several statements with a list. */
const lastOf = (answer: Answer | Answer[]): Answer =>
  Array.isArray(answer) ? (answer.at(-1) ?? { rows: [] }) : answer;
