import { afterAll, expect, test } from "vitest";
import { isMeasured, runsAll } from "../setup/sampled.ts";
import { startPostgres } from "../support/app/postgres.ts";
import { runReplicas } from "../support/app/replicas.ts";
import { createTestFolder } from "../support/project/system.ts";

const postgres = await (runsAll ? startPostgres() : undefined);
if (runsAll && !postgres)
  console.info("skipped: two replicas on PostgreSQL, which is not installed");
afterAll(async () => postgres?.[Symbol.asyncDispose]());

const work = { jobs: 120, groups: 30, waitMs: 100 };

/** `npm run bench` measures how much faster; here it is enough that they do not block each other. */
test.runIf(postgres && runsAll)(
  "two replicas share the work evenly, are faster than one, and do nothing twice",
  async () => {
    const ms: number[] = [];
    for (const replicas of [1, 2]) {
      await using folder = await createTestFolder();
      const databaseUrl = postgres?.url ?? "";
      const result = await runReplicas({ ...work, databaseUrl, folder: folder.path, replicas });
      expect(result).toMatchObject({ doubles: 0, shares: { length: replicas } });
      for (const share of result.shares) expect(share).toBeGreaterThan(0.7 / replicas);
      ms.push(result.ms);
    }
    const [alone = 0, together = 0] = ms;
    if (isMeasured) expect(alone / together).toBeGreaterThan(1.3);
  },
);
