import type { Db, PgBoss } from "pg-boss";
import type { Clock } from "../../src/platform/system.ts";
import { connectPostgres } from "./connect-postgres.ts";
import { type Note, type Notes, newestKey, type Store } from "./notes.ts";
import { jobTable } from "./postgres-jobs.ts";
import { openPostgresQueue } from "./postgres-queue.ts";
import * as versions from "./schema-version.ts";

/** Queue and notes in one database that several replicas share. */
export async function openPostgresStore(
  clock: Pick<Clock, "now" | "sleep">,
  connectionString: string,
  report: (error: Error) => void,
): Promise<Store> {
  const boss = await connectPostgres({ clock, connectionString, report });
  const queue = await openPostgresQueue(boss, clock);
  const notes = await openPostgresNotes(boss.getDb());
  await migratePostgres(boss, versions.schemaVersion);
  return {
    ...{ queue, notes },
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false, close: true }),
  };
}

const schema = `
  create table if not exists ralph_note (
    kind text not null, id text not null, repository text not null, at double precision not null,
    data jsonb not null, primary key (kind, id)
  );
  create index if not exists ralph_note_place on ralph_note (kind, repository, at);
  create index if not exists ralph_note_time on ralph_note (kind, at);
`;

const status = `
  coalesce(data ->> 'outcome', case when data ->> 'state' in ('done', 'refused') then data -> 'ending' ->> 'kind' end,
    case when data ->> 'state' = 'done' and data -> 'pull' is not null then 'pull' else data ->> 'state' end)`;

/** Two replicas may start at the same time. */
const alone = `begin; select pg_advisory_xact_lock(7261686); ${schema} commit;`;

/** The notes on PostgreSQL. */
async function openPostgresNotes(db: Db): Promise<Notes> {
  await db.executeSql(alone);
  const ask = async (sql: string, values: unknown[]) =>
    (await db.executeSql(sql, values)).rows as Note[];
  return {
    put: async ({ kind, id, repository, at, data }) => {
      await ask(
        `insert into ralph_note (kind, id, repository, at, data) values ($1, $2, $3, $4, $5)
         on conflict (kind, id) do update set repository = excluded.repository, at = excluded.at, data = excluded.data`,
        [kind, id, repository, at, JSON.stringify(data)],
      );
    },
    get: async (kind, id) =>
      (await ask("select * from ralph_note where kind = $1 and id = $2", [kind, id]))[0],
    list: ({ kind, repositories, statuses, since = 0, before = newestKey, limit }) =>
      ask(
        `select * from ralph_note where kind = $1 and at >= $2 and at <= $5 and (at < $5 or id < $6)
           and ($3::text[] is null or repository = any($3))
           and ($7::text[] is null or ${status} = any($7))
         order by at desc, id desc limit $4`,
        [kind, since, repositories ?? null, limit, before.at, before.id, statuses ?? null],
      ),
    remove: async (kind, id) => {
      await ask("delete from ralph_note where kind = $1 and id = $2", [kind, id]);
    },
    prune: async (kind, olderThan) => {
      await ask("delete from ralph_note where kind = $1 and at < $2", [kind, olderThan]);
    },
  };
}

const names: versions.SchemaNames = {
  ...{ notes: "ralph_note", jobs: jobTable, group: "group_id" },
  ...{ place: "(data -> 'data' -> 'place')", isLive: "state <> 'completed'" },
  setAddress: (column) => `jsonb_set(data, '{place,repository}', to_jsonb(${column}))`,
};

const versionTable = "create table if not exists ralph_schema (version integer not null)";

/** Two replicas may start at the same time. */
const lock = "select pg_advisory_xact_lock(7261685)";

/** Refuses a store of a later version; takes any other to the given one, completely or not at all. */
export async function migratePostgres(boss: PgBoss, to: versions.SchemaVersion): Promise<void> {
  const db = boss.getDb();
  const { rows } = await db
    .executeSql(
      `begin; ${lock}; ${versionTable}; commit; select max(version) as version from ralph_schema`,
    )
    .then(lastOf);
  const from = Number(rows[0]?.version ?? 1);
  versions.requireKnownVersion(from);
  if (from === to) return;
  const statements = [...versions.migrationSql(names, from, to), "delete from ralph_schema"];
  const set = `insert into ralph_schema (version) values (${to})`;
  await db.executeSql(["begin", lock, ...statements, set, "commit"].join("; "));
}

type Answer = { rows: { version?: unknown }[] };

/** The driver answers several statements with a list. */
const lastOf = (answer: Answer | Answer[]): Answer =>
  Array.isArray(answer) ? (answer.at(-1) ?? { rows: [] }) : answer;
