import type { CommandResponse, JobInsert, PgBoss } from "pg-boss";
import type { Clock } from "../../src/platform/system.ts";
import {
  countJobs,
  type JobPayload,
  jobTable,
  listJobs,
  queueName,
  queueSchema,
  readBacklog,
  runQuery,
} from "./postgres-jobs.ts";
import {
  deadKept,
  deadKeptMs,
  doneKeptMs,
  forgetMs,
  leaseMs,
  type Queue,
  retryPolicy,
  type StoredJob,
  type TakenJob,
} from "./queue.ts";

/** The library checks for busy groups without a lock, so two workers could take jobs of one group at once. */
const oneOfGroup = `
  create unique index if not exists ralph_one_of_group on ${queueSchema}.job_common (name, group_id) where state = 'active'`;

/** Two replicas may start at the same time. */
const alone = `begin; select pg_advisory_xact_lock(7261687); ${oneOfGroup}; commit;`;

/** Creates the queue, or updates its settings. */
export async function openPostgresQueue(boss: PgBoss, clock: Pick<Clock, "now">): Promise<Queue> {
  const settings = {
    retryLimit: retryPolicy.attempts - 1,
    retryDelay: retryPolicy.firstMs / 1000,
    retryBackoff: true,
    retryDelayMax: retryPolicy.longestMs / 1000,
    heartbeatSeconds: leaseMs / 1000,
    expireInSeconds: 6 * 60 * 60,
    deleteAfterSeconds: deadKeptMs / 1000,
    // A job may wait long for its next attempt.
    retentionSeconds: (3 * deadKeptMs) / 1000,
  };
  if (await boss.getQueue(queueName)) await boss.updateQueue(queueName, settings);
  else await boss.createQueue(queueName, settings);
  await boss.getDb().executeSql(alone);
  const forget = createForget(boss, clock);
  return {
    add: async (jobs) => {
      await forget();
      return addJobs(boss, jobs);
    },
    take: () => takeJob(boss),
    extend: async (job) => isOne(await boss.touch(queueName, attemptOf(job))),
    finish: async (job) => isOne(await boss.complete(queueName, attemptOf(job))),
    fail: async (job, error) =>
      isOne(await boss.fail(queueName, attemptOf(job), { message: error })),
    putBack: (job, startAt) => putBackJob(boss, job, startAt),
    deadLetter: (job, error) => deadLetterJob(boss, job, error),
    regroup: (from, to) => moveGroup(boss, from, to),
    list: (wanted) => listJobs(boss, wanted),
    requeue: async (id) => isOne(await boss.retry(queueName, id)),
    counts: () => countJobs(boss),
    backlog: () => readBacklog(boss),
  };
}

/** pg-boss returns the number of affected rows, which its types omit. */
const isOne = (answer: CommandResponse) => "affected" in answer && answer.affected === 1;

const attemptOf = ({ id, attempt }: TakenJob) => ({ id, retryCount: attempt - 1 });

async function addJobs(boss: PgBoss, given: readonly StoredJob[]): Promise<number> {
  if (given.length === 0) return 0;
  // The library refuses all jobs if two have the same id.
  const jobs = [...new Map(given.map((job) => [job.id, job])).values()];
  const roundOf = await rounds(boss, [...new Set(jobs.map(({ group }) => group))]);
  const rows = jobs.map(({ id, kind, group, data, startAt }): JobInsert => {
    const carried: JobPayload = { kind, data };
    const later = startAt === undefined ? {} : { startAfter: new Date(startAt) };
    return { id, data: carried, group: { id: group }, priority: -roundOf(group), ...later };
  });
  const added = await boss.insert(queueName, rows, { returnId: true });
  return added?.length ?? 0;
}

/**
 * Groups take turns: a group's next job is one round after its last, and never before jobs that wait already. Two
 * replicas may assign the same round, which only changes the order.
 */
async function rounds(boss: PgBoss, groups: string[]): Promise<(group: string) => number> {
  const open = `from ${jobTable} where name = $1 and state < 'completed'`;
  const sql = `select group_id as group, -min(priority) as last ${open} and group_id = any($2) group by group_id
    union all select null, -max(priority) ${open} and state < 'active' and $2::text[] is not null`;
  const rows = (await runQuery(boss, sql, [queueName, groups])) as {
    group: string | null;
    last: number;
  }[];
  const first = Number(rows.find(({ group }) => group === null)?.last ?? 0);
  const last = new Map(rows.map(({ group, last }) => [group, Number(last)]));
  return (group) => {
    const round = Math.max(first, (last.get(group) ?? first - 1) + 1);
    last.set(group, round);
    return round;
  };
}

/** Attempts to take a job while other replicas take jobs of the same group. */
const maxTakes = 20;

async function takeJob(boss: PgBoss): Promise<TakenJob | undefined> {
  const row = await fetchJob(boss);
  if (!row) return undefined;
  const { id, data, retryCount, groupId } = row;
  return { id, group: groupId ?? "", attempt: retryCount + 1, lease: String(retryCount), ...data };
}

async function fetchJob(boss: PgBoss) {
  for (let round = 0; round < maxTakes; round += 1) {
    try {
      const options = { includeMetadata: true, groupConcurrency: 1 } as const;
      return (await boss.fetch<JobPayload>(queueName, options))[0];
    } catch (error) {
      // Another replica has taken a job of the same group.
      if (!isUniqueViolation(error)) throw error;
    }
  }
  return undefined;
}

const isUniqueViolation = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "23505";

/** The unique index refuses a second running job in the group. */
async function moveGroup(boss: PgBoss, from: string, to: string): Promise<boolean> {
  const sql = `update ${jobTable} set group_id = $3 where name = $1 and group_id = $2 and state <> 'completed'`;
  try {
    await runQuery(boss, sql, [queueName, from, to]);
    return true;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return false;
  }
}

const forgetOld = `
  delete from ${jobTable} where name = $1 and state > 'active' and (
    (state = 'completed' and completed_on < now() - $2 * interval '1 ms')
    or completed_on < now() - $3 * interval '1 ms'
    or id in (select id from ${jobTable} where name = $1 and state = 'failed' order by completed_on desc offset $4))`;

/** Removes old done and dead jobs, and dead ones beyond the limit; the library only counts in days. */
function createForget(boss: PgBoss, clock: Pick<Clock, "now">): () => Promise<void> {
  let forgotAt = 0;
  return async () => {
    const now = clock.now();
    if (now - forgotAt < forgetMs) return;
    forgotAt = now;
    await runQuery(boss, forgetOld, [queueName, doneKeptMs, deadKeptMs, deadKept]);
  };
}

/** Makes a job a dead letter, even if attempts are left. */
async function deadLetterJob(boss: PgBoss, job: TakenJob, error: string): Promise<boolean> {
  const sql = `update ${jobTable} set state = 'failed', completed_on = now(), output = $4
    where name = $1 and id = $2 and retry_count = $3 and state = 'active' returning id`;
  const values = [queueName, job.id, job.attempt - 1, { message: error }];
  return (await runQuery(boss, sql, values)).length === 1;
}

/** Without a time of its start the library does not count the next attempt as another one. */
async function putBackJob(boss: PgBoss, job: TakenJob, startAt: number): Promise<boolean> {
  const sql = `update ${jobTable} set state = 'created', started_on = null, heartbeat_on = null,
      start_after = to_timestamp($4) where name = $1 and id = $2 and retry_count = $3 and state = 'active' returning id`;
  const values = [queueName, job.id, job.attempt - 1, startAt / 1000];
  return (await runQuery(boss, sql, values)).length === 1;
}
