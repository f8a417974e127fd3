import type { PgBoss } from "pg-boss";
import type { DeadJob, QueueCounts, SeenJob, SeenWanted, StoredJob } from "./queue.ts";

/** Where pg-boss has its tables. */
export const schema = "ralph_queue";
export const name = "ralph";
export const table = `${schema}.job`;

/** What a row's data holds: pg-boss knows no kinds. */
export type Carried = Pick<StoredJob, "kind" | "data">;

/** The rows of a statement of ours, beside those of the library. */
export async function query(boss: PgBoss, sql: string, values: unknown[]): Promise<unknown[]> {
  return (await boss.getDb().executeSql(sql, values)).rows;
}

/** Jobs that were given up, the first one first. */
export async function listDead(boss: PgBoss): Promise<DeadJob[]> {
  const sql = `select id, group_id as group, data, output, completed_on from ${table}
    where name = $1 and state = 'failed' order by completed_on`;
  type Row = {
    id: string;
    group: string;
    data: Carried;
    output: Output;
    completed_on: Date;
  };
  const rows = (await query(boss, sql, [name])) as Row[];
  return rows.map(({ id, group, data, output, completed_on }) => {
    const error = wordsOf(output) ?? "unknown";
    return { id, group, ...data, error, diedAt: completed_on.getTime() };
  });
}

type Output = { message?: string; value?: { message?: string } } | null;

const wordsOf = (output: Output) => output?.message ?? output?.value?.message;

const states = { ready: ["created", "retry"], active: ["active"], dead: ["failed"] } as const;

/** Jobs as people see them. */
export async function listSeen(
  boss: PgBoss,
  { state, groups, id, limit }: SeenWanted,
): Promise<SeenJob[]> {
  const sql = `select id, group_id as group, data->>'kind' as kind, output,
      case when started_on is null then 0 else retry_count + 1 end as attempt,
      case state when 'failed' then completed_on when 'active' then started_on else start_after end as at
    from ${table} where name = $1 and state::text = any($2) and group_id = any($3)
      and ($4::uuid is null or id = $4) order by at desc, id limit $5`;
  const values = [name, states[state], groups, id ?? null, limit];
  type Row = Pick<SeenJob, "id" | "group" | "kind" | "attempt"> & { output: Output; at: Date };
  const rows = (await query(boss, sql, values)) as Row[];
  return rows.map(({ output, at, ...row }) => {
    return { ...row, state, error: wordsOf(output) ?? null, at: at.getTime() };
  });
}

const names = {
  created: "ready",
  retry: "ready",
  active: "active",
  failed: "dead",
  completed: "done",
} as const;

/** How many jobs there are of each state. */
export async function countJobs(boss: PgBoss): Promise<QueueCounts> {
  const sql = `select state, count(*)::int as n from ${table} where name = $1 group by state`;
  const rows = (await query(boss, sql, [name])) as { state: keyof typeof names; n: number }[];
  const counts = { ready: 0, active: 0, dead: 0, done: 0 };
  for (const { state, n } of rows) counts[names[state]] += n;
  return counts;
}
