import type { CommandResponse, JobInsert, PgBoss } from "pg-boss";
import {
  type DeadJob,
  type Job,
  keptMs,
  leaseMs,
  type NewJob,
  type Queue,
  retryPolicy,
  type SeenJob,
  type SeenWanted,
} from "./queue.ts";

/** Where pg-boss has its tables. */
export const schema = "ralph_queue";
const name = "ralph";
const table = `${schema}.job`;

/** What a row's data holds: pg-boss knows no kinds. */
type Carried = Pick<NewJob, "kind" | "data">;

/** Makes the queue of a database that knows none yet, and brings its settings up to date. */
export async function openPostgresQueue(boss: PgBoss): Promise<Queue> {
  const settings = {
    retryLimit: retryPolicy.attempts - 1,
    retryDelay: retryPolicy.firstMs / 1000,
    retryBackoff: true,
    retryDelayMax: retryPolicy.longestMs / 1000,
    heartbeatSeconds: leaseMs / 1000,
    expireInSeconds: 6 * 60 * 60,
    deleteAfterSeconds: keptMs / 1000,
  };
  if (await boss.getQueue(name)) await boss.updateQueue(name, settings);
  else await boss.createQueue(name, settings);
  return {
    add: (jobs) => addJobs(boss, jobs),
    take: () => takeJob(boss),
    extend: async (job) => isOne(await boss.touch(name, attemptOf(job))),
    finish: async (job) => isOne(await boss.complete(name, attemptOf(job))),
    fail: async (job, error) => isOne(await boss.fail(name, attemptOf(job), { message: error })),
    bury: (job, error) => buryJob(boss, job, error),
    dead: () => listDead(boss),
    list: (wanted) => listSeen(boss, wanted),
    revive: async (id) => isOne(await boss.retry(name, id)),
    counts: () => countJobs(boss),
  };
}

/** pg-boss tells how many rows a command has touched; its types leave that out. */
const isOne = (answer: CommandResponse) => "affected" in answer && answer.affected === 1;

const attemptOf = ({ id, attempt }: Job) => ({ id, retryCount: attempt - 1 });

async function query(boss: PgBoss, sql: string, values: unknown[]): Promise<unknown[]> {
  return (await boss.getDb().executeSql(sql, values)).rows;
}

async function addJobs(boss: PgBoss, jobs: readonly NewJob[]): Promise<number> {
  if (jobs.length === 0) return 0;
  const roundOf = await rounds(boss, [...new Set(jobs.map(({ group }) => group))]);
  const rows = jobs.map(({ id, kind, group, data, startAt }): JobInsert => {
    const carried: Carried = { kind, data };
    const later = startAt === undefined ? {} : { startAfter: new Date(startAt) };
    return { id, data: carried, group: { id: group }, priority: -roundOf(group), ...later };
  });
  const added = await boss.insert(name, rows, { returnId: true });
  return added?.length ?? 0;
}

/**
 * Groups take turns: the next job of each is one round behind its last, and never ahead of what waits already. Two
 * replicas may give the same round twice, which only mixes the turns.
 */
async function rounds(boss: PgBoss, groups: string[]): Promise<(group: string) => number> {
  const open = `from ${table} where name = $1 and state < 'completed'`;
  const sql = `select group_id as group, -min(priority) as last ${open} and group_id = any($2) group by group_id
    union all select null, -max(priority) ${open} and state < 'active' and $2::text[] is not null`;
  const rows = (await query(boss, sql, [name, groups])) as { group: string | null; last: number }[];
  const first = Number(rows.find(({ group }) => group === null)?.last ?? 0);
  const last = new Map(rows.map(({ group, last }) => [group, Number(last)]));
  return (group) => {
    const round = Math.max(first, (last.get(group) ?? first - 1) + 1);
    last.set(group, round);
    return round;
  };
}

async function takeJob(boss: PgBoss): Promise<Job | undefined> {
  const [row] = await boss.fetch<Carried>(name, { includeMetadata: true, groupConcurrency: 1 });
  if (!row) return undefined;
  const { id, data, retryCount, groupId } = row;
  return { id, group: groupId ?? "", attempt: retryCount + 1, lease: String(retryCount), ...data };
}

/** At once dead, whatever attempts are left. */
async function buryJob(boss: PgBoss, job: Job, error: string): Promise<boolean> {
  const sql = `update ${table} set state = 'failed', completed_on = now(), output = $4
    where name = $1 and id = $2 and retry_count = $3 and state = 'active' returning id`;
  const values = [name, job.id, job.attempt - 1, { message: error }];
  return (await query(boss, sql, values)).length === 1;
}

async function listDead(boss: PgBoss): Promise<DeadJob[]> {
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

async function listSeen(
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

async function countJobs(boss: PgBoss) {
  const sql = `select state, count(*)::int as n from ${table} where name = $1 group by state`;
  const rows = (await query(boss, sql, [name])) as { state: keyof typeof names; n: number }[];
  const counts = { ready: 0, active: 0, dead: 0, done: 0 };
  for (const { state, n } of rows) counts[names[state]] += n;
  return counts;
}
