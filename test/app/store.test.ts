import { join } from "node:path";
import { PgBoss } from "pg-boss";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../app/store/open-store.ts";
import { retryPause, retryPolicy } from "../../app/store/queue.ts";
import { createSystem } from "../../src/system/create-system.ts";
import { startPostgres } from "../support/postgres.ts";
import { describeStore } from "../support/store-contract.ts";
import { createTestFolder } from "../support/system.ts";

const system = createSystem();
const report = () => undefined;
const hour = 3_600_000;

describe("the embedded store", () => {
  describeStore(async () => {
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
    return { open, skipPauses: skip, loseLeases: skip };
  });
});

const postgres = await startPostgres();
if (!postgres) console.log("Skipped: the store on PostgreSQL (no server is installed)");
afterAll(async () => postgres?.[Symbol.asyncDispose]());

describe.skipIf(!postgres)("the store on PostgreSQL", () => {
  describeStore(async () => {
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
    };
  });
});

test.each([
  [1, 0, 2500],
  [1, 1, 5000],
  [2, 1, 10_000],
  [retryPolicy.attempts, 1, hour],
])("before attempt %i + 1 there is a pause", (attempt, chance, ms) => {
  expect(retryPause(attempt, chance)).toBe(ms);
});
