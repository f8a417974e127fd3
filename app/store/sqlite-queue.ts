import type { DatabaseSync } from "node:sqlite";
import type { Clock, System } from "../../src/platform/system.ts";
import {
  deadKept,
  deadKeptMs,
  doneKeptMs,
  forgetMs,
  type ListedJob,
  leaseMs,
  type Queue,
  type QueueCounts,
  retryPause,
  retryPolicy,
  type StoredJob,
  type TakenJob,
} from "./queue.ts";

/**
 * `round` lets groups take turns: a group's next job is one round after its last, and never before jobs that wait already.
 */
const schema = `
  create table if not exists job (
    id text primary key, kind text not null, grp text not null, data text not null,
    state text not null default 'ready', attempt integer not null default 0, round integer not null,
    start_at real not null, lease text, lease_until real, error text, changed_at real not null
  ) strict;
  create index if not exists job_turn on job (state, round, start_at);
  create index if not exists job_group on job (grp, state, round);
  create index if not exists job_done on job (changed_at) where state = 'done';
  create index if not exists job_dead on job (changed_at) where state = 'dead';
`;

const addJob = `
  insert into job (id, kind, grp, data, start_at, changed_at, round) values (?1, ?2, ?3, ?4, ?5, ?6, max(
    coalesce((select min(round) from job where state = 'ready'), 0),
    coalesce((select max(round) + 1 from job where grp = ?3 and state in ('ready', 'active')), 0)
  )) on conflict do nothing`;

const releaseLapsed = `
  update job set lease = null, changed_at = ?1, state = iif(attempt >= ?2, 'dead', 'ready'),
    error = 'the process that worked on it died' where state = 'active' and lease_until < ?1`;

const takeNext = `
  update job set state = 'active', attempt = attempt + 1, lease = ?2, lease_until = ?3, changed_at = ?1
  where id = (
    select id from job as next where state = 'ready' and start_at <= ?1
      and not exists (select 1 from job as other where other.grp = next.grp and other.state = 'active')
    order by round, rowid limit 1
  ) returning id, kind, grp as "group", data, attempt, lease`;

const listSeen = `
  select id, kind, grp as "group", state, attempt, error, iif(state = 'ready', start_at, changed_at) as at from job
  where state = ?1 and grp in (select value from json_each(?2)) and (?3 is null or id = ?3)
  order by at desc, id limit ?4`;

const moveGroup = "update job set grp = ?2 where grp = ?1 and state <> 'done'";
const countBusy = "select count(*) as n from job where grp = ? and state = 'active'";

const held = "where id = ? and lease = ? and state = 'active'";

/** Drops the data of a finished job, which may be large. */
const finishJob = `update job set state = 'done', data = 'null', error = null, changed_at = ? ${held}`;

/** The embedded queue, in a database that several processes on one machine may share. */
export function openSqliteQueue(
  { clock, randomHex }: Pick<System, "clock" | "randomHex">,
  db: DatabaseSync,
): Queue {
  db.exec(schema);
  const run = (sql: string) => {
    const statement = db.prepare(sql);
    return (...values: (string | number)[]) => Number(statement.run(...values).changes);
  };
  const add = run(addJob);
  const release = run(releaseLapsed);
  const forget = createForget(db);
  const take = db.prepare(takeNext);
  const extend = run(`update job set lease_until = ? ${held}`);
  const finish = run(finishJob);
  const again = run(
    `update job set state = 'ready', start_at = ?, error = ?, changed_at = ? ${held}`,
  );
  const putBack = run(
    `update job set state = 'ready', attempt = attempt - 1, start_at = ?, changed_at = ? ${held}`,
  );
  const deadLetter = run(`update job set state = 'dead', error = ?, changed_at = ? ${held}`);
  const requeue = run(
    "update job set state = 'ready', attempt = 0, start_at = ?, changed_at = ? where id = ? and state = 'dead'",
  );
  const addAll = (jobs: readonly StoredJob[]) => {
    const now = clock.now();
    let added = 0;
    db.exec("begin immediate");
    try {
      forget(now);
      for (const { id, kind, group, data, startAt = now } of jobs) {
        added += add(id, kind, group, JSON.stringify(data), startAt, now);
      }
      db.exec("commit");
    } catch (error) {
      // A full disk has ended the transaction already.
      if (db.isTransaction) db.exec("rollback");
      throw error;
    }
    return added;
  };
  return {
    add: async (jobs) => (jobs.length === 0 ? 0 : addAll(jobs)),
    take: async () => {
      const now = clock.now();
      release(now, retryPolicy.attempts);
      const row = take.get(now, randomHex(16), now + leaseMs);
      return row && readRow<TakenJob>(row);
    },
    extend: async ({ id, lease }) => extend(clock.now() + leaseMs, id, lease) === 1,
    finish: async ({ id, lease }) => finish(clock.now(), id, lease) === 1,
    fail: async ({ id, lease, attempt }, error) => {
      const now = clock.now();
      if (attempt >= retryPolicy.attempts) return deadLetter(error, now, id, lease) === 1;
      const chance = Number.parseInt(randomHex(4), 16) / 2 ** 32;
      return again(now + retryPause(attempt, chance), error, now, id, lease) === 1;
    },
    putBack: async ({ id, lease }, startAt) => putBack(startAt, clock.now(), id, lease) === 1,
    deadLetter: async ({ id, lease }, error) => deadLetter(error, clock.now(), id, lease) === 1,
    requeue: async (id) => requeue(clock.now(), clock.now(), id) === 1,
    ...createViews(db, clock),
  };
}

const countDue = `
  select count(*) as n, min(start_at) as oldest from job where state = 'ready' and start_at <= ?`;

/** The operations that concern no single job. */
function createViews(
  db: DatabaseSync,
  clock: Pick<Clock, "now">,
): Pick<Queue, "regroup" | "list" | "counts" | "backlog"> {
  const seen = db.prepare(listSeen);
  const count = db.prepare("select state, count(*) as n from job group by state");
  const waiting = db.prepare(countDue);
  const [busy, move] = [db.prepare(countBusy), db.prepare(moveGroup)];
  return {
    regroup: async (from, to) => {
      if (from === to) return true;
      if (Number(busy.get(to)?.n) > 0) return false;
      move.run(from, to);
      return true;
    },
    list: async ({ state, groups, id = null, limit }) =>
      seen
        .all(state, JSON.stringify(groups), id, limit)
        .map((row) => ({ ...row }) as unknown as ListedJob),
    backlog: async () => {
      const { n, oldest } = waiting.get(clock.now()) ?? {};
      return { due: Number(n), oldestDueAt: oldest == null ? undefined : Number(oldest) };
    },
    counts: async () => {
      const found = count.all().map(({ state, n }) => [String(state), Number(n)]);
      const none: QueueCounts = { ready: 0, active: 0, dead: 0, done: 0 };
      return { ...none, ...Object.fromEntries(found) };
    },
  };
}

const forgetOld = "delete from job where state = ? and changed_at < ?";
const forgetMany = `
  delete from job where rowid in (
    select rowid from job where state = 'dead' order by changed_at desc limit -1 offset ?
  )`;

/** Removes old done and dead jobs, and dead ones beyond the limit. */
function createForget(db: DatabaseSync): (now: number) => void {
  const [old, many] = [db.prepare(forgetOld), db.prepare(forgetMany)];
  let forgotAt = 0;
  return (now) => {
    if (now - forgotAt < forgetMs) return;
    forgotAt = now;
    old.run("done", now - doneKeptMs);
    old.run("dead", now - deadKeptMs);
    many.run(deadKept);
  };
}

/** The columns are named like the fields; only the data is JSON text. */
const readRow = <Row>({ data, ...others }: Record<string, unknown>) =>
  ({ ...others, data: JSON.parse(String(data)) }) as Row;
