import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PgBoss } from "pg-boss";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../app/store/open-store.ts";
import { retryPause, retryPolicy, type StoredJob } from "../../../app/store/queue.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { startPostgres } from "../../support/app/postgres.ts";
import { describeStore } from "../../support/contracts/store.ts";
import { describeStoreLimits } from "../../support/contracts/store-limits.ts";
import { createTestFolder } from "../../support/project/system.ts";

const system = createSystem();
const report = () => undefined;
const hour = 3_600_000;

describe("the embedded store", () => {
  const makeHost = async () => {
    const folder = await createTestFolder();
    onTestFinished(() => folder[Symbol.asyncDispose]());
    const dataFolder = join(folder.path, "data");
    let passed = 0;
    const clock = { ...system.clock, now: () => Date.now() + passed };
    const skip = async () => {
      passed += 2 * hour;
    };
    const open = () =>
      openStore({ ...system, clock }, { databaseUrl: undefined, dataFolder }, report);
    const passDays = async (days: number) => {
      passed += 24 * days * hour;
    };
    const leaveDead = async (jobs: readonly StoredJob[]) => {
      using db = new DatabaseSync(`${dataFolder}/ralph.sqlite`);
      const insert = db.prepare(
        "insert into job (id, kind, grp, data, state, round, start_at, error, changed_at) values (?, ?, ?, 'null', 'dead', 0, 0, 'x', ?)",
      );
      db.exec("begin");
      for (const [index, { id, kind, group }] of jobs.entries()) {
        insert.run(id, kind, group, clock.now() - jobs.length + index);
      }
      db.exec("commit");
    };
    return { open, skipPauses: skip, loseLeases: skip, passDays, leaveDead };
  };
  describeStore(makeHost);
  describeStoreLimits(makeHost);
});

const postgres = await startPostgres();
if (!postgres) console.info("skipped: the store on PostgreSQL, which is not installed");
afterAll(async () => postgres?.[Symbol.asyncDispose]());

describe.skipIf(!postgres)("the store on PostgreSQL", () => {
  const makeHost = async () => {
    const databaseUrl = postgres?.url ?? "";
    const boss = new PgBoss({ connectionString: databaseUrl, schema: "ralph_queue" });
    const sql = (text: string) => boss.getDb().executeSql(text);
    const open = () => openStore(system, { databaseUrl, dataFolder: "" }, report);
    const first = await open();
    await first[Symbol.asyncDispose]();
    await boss.start();
    onTestFinished(() => boss.stop({ graceful: false }));
    await boss.deleteAllJobs("ralph");
    await sql("delete from ralph_note");
    return {
      open,
      skipPauses: async () => {
        await sql("update ralph_queue.job set start_after = now() where state = 'retry'");
      },
      loseLeases: async () => {
        await sql(
          "update ralph_queue.job set heartbeat_on = now() - interval '1 day' where state = 'active'",
        );
        await sql("update ralph_queue.queue set monitor_on = null, monitor_claim_on = null");
        await boss.supervise("ralph");
      },
      passDays: async (days: number) => {
        await sql(
          `update ralph_queue.job set completed_on = completed_on - interval '${days} days'`,
        );
      },
      leaveDead: async (jobs: readonly StoredJob[]) => {
        const ids = jobs.map(({ id }) => `'${id}'`).join();
        await sql(`insert into ralph_queue.job (name, id, group_id, data, state, completed_on)
          select 'ralph', id::uuid, 'octo/one', '{}', 'failed', now() - interval '1 hour' + place * interval '1 ms'
          from unnest(array[${ids}]) with ordinality as given (id, place)`);
      },
    };
  };
  describeStore(makeHost);
  describeStoreLimits(makeHost);
});

test.each([
  [1, 0, 2500],
  [1, 1, 5000],
  [2, 1, 10_000],
  [retryPolicy.attempts, 1, hour / 6],
])("before attempt %i + 1 there is a pause", (attempt, chance, ms) => {
  expect(retryPause(attempt, chance)).toBe(ms);
});

test("all pauses together outlast an outage of two hours, and end before a recheck gives up a run", () => {
  const total = (chance: number) =>
    Array.from({ length: retryPolicy.attempts - 1 }, (_, index) =>
      retryPause(index + 1, chance),
    ).reduce((sum, ms) => sum + ms);
  expect(total(0)).toBeGreaterThan(2 * hour);
  expect(total(1)).toBeLessThan(6 * hour);
});
