import type { PgBoss } from "pg-boss";
import type { Backlog, JobQuery, ListedJob, QueueCounts, StoredJob } from "./queue.ts";

/** The schema with the tables of pg-boss. */
export const queueSchema = "ralph_queue";
export const queueName = "ralph";
export const jobTable = `${queueSchema}.job`;

/** The data of a row; pg-boss itself knows no kinds. */
export type JobPayload = Pick<StoredJob, "kind" | "data">;

/** The rows of a custom statement. */
export async function runQuery(boss: PgBoss, sql: string, values: unknown[]): Promise<unknown[]> {
  return (await boss.getDb().executeSql(sql, values)).rows;
}

type Output = { message?: string; value?: { message?: string } } | null;

const messageOf = (output: Output) => output?.message ?? output?.value?.message;

const states = { ready: ["created", "retry"], active: ["active"], dead: ["failed"] } as const;

/** Jobs for the queue page. */
export async function listJobs(
  boss: PgBoss,
  { state, groups, id, limit }: JobQuery,
): Promise<ListedJob[]> {
  const sql = `select id, group_id as group, data->>'kind' as kind, output,
      case when started_on is null then 0 else retry_count + 1 end as attempt,
      case state when 'failed' then completed_on when 'active' then started_on else start_after end as at
    from ${jobTable} where name = $1 and state::text = any($2) and group_id = any($3)
      and ($4::uuid is null or id = $4) order by at desc, id limit $5`;
  const values = [queueName, states[state], groups, id ?? null, limit];
  type Row = Pick<ListedJob, "id" | "group" | "kind" | "attempt"> & { output: Output; at: Date };
  const rows = (await runQuery(boss, sql, values)) as Row[];
  return rows.map(({ output, at, ...row }) => {
    return { ...row, state, error: messageOf(output) ?? null, at: at.getTime() };
  });
}

const names = {
  created: "ready",
  retry: "ready",
  active: "active",
  failed: "dead",
  completed: "done",
} as const;

/** The number of jobs in each state. */
export async function countJobs(boss: PgBoss): Promise<QueueCounts> {
  const sql = `select state, count(*)::int as n from ${jobTable} where name = $1 group by state`;
  const rows = (await runQuery(boss, sql, [queueName])) as {
    state: keyof typeof names;
    n: number;
  }[];
  const counts = { ready: 0, active: 0, dead: 0, done: 0 };
  for (const { state, n } of rows) counts[names[state]] += n;
  return counts;
}

/** The ready jobs whose time has come. */
export async function readBacklog(boss: PgBoss): Promise<Backlog> {
  const sql = `select count(*)::int as n, min(start_after) as oldest from ${jobTable}
    where name = $1 and state::text = any($2) and start_after <= now()`;
  const [row] = (await runQuery(boss, sql, [queueName, states.ready])) as {
    n: number;
    oldest: Date | null;
  }[];
  return { due: row?.n ?? 0, oldestDueAt: row?.oldest?.getTime() };
}
