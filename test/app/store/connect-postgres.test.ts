import { afterAll, expect, test } from "vitest";
import { connectPostgres, connectTimeoutMs } from "../../../app/store/connect-postgres.ts";
import { RalphError } from "../../../src/error.ts";
import { startPostgres } from "../../support/app/postgres.ts";

const postgres = await startPostgres();
if (!postgres) console.info("skipped: connecting to PostgreSQL, which is not installed");
afterAll(async () => postgres?.[Symbol.asyncDispose]());

/** Tries to connect; pauses take no time, and `paused` runs in their place. */
async function connect(
  connectionString: string,
  paused: () => Promise<void> | void = () => undefined,
) {
  let now = 0;
  const reported: string[] = [];
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
      await paused();
    },
  };
  const report = ({ message }: Error) => void reported.push(message);
  const boss = await connectPostgres({ clock, connectionString, report }).catch((error) => error);
  if (!(boss instanceof Error)) await boss.stop({ graceful: false });
  return { boss, waitedMs: now, reported };
}

test("a database that stays unreachable is reported after a minute, without its password", async () => {
  const { boss, waitedMs, reported } = await connect("postgres://ralph:hunter2@127.0.0.1:9/x");
  expect(waitedMs).toBe(connectTimeoutMs);
  expect(reported[0]).toContain("ECONNREFUSED");
  expect(boss).toBeInstanceOf(RalphError);
  expect(boss).toMatchObject({
    reason: "config",
    message: expect.stringContaining("The database at 127.0.0.1:9 cannot be used"),
    remedy: expect.stringContaining("DATABASE_URL"),
  });
  expect(boss.message).not.toContain("hunter2");
});

test.skipIf(!postgres)("the App waits for a database that starts later", async () => {
  await postgres?.stop();
  let pauses = 0;
  const { boss, waitedMs } = await connect(postgres?.url ?? "", async () => {
    pauses += 1;
    if (pauses === 2) await postgres?.start();
  });
  expect(boss).not.toBeInstanceOf(Error);
  expect(waitedMs).toBeGreaterThan(0);
});

test.skipIf(!postgres)("a missing database is reported at once", async () => {
  const { boss, waitedMs } = await connect(`${postgres?.url}_of_nobody`);
  expect(waitedMs).toBe(0);
  expect(boss).toMatchObject({ reason: "config", message: expect.stringContaining("not exist") });
});
