import { afterAll, expect, test } from "vitest";
import { runsAll, thorough } from "../../setup/sampled.ts";
import { moveAround } from "../../support/app/move-around.ts";
import { startPostgres } from "../../support/app/postgres.ts";

/** Moves on each store, each of which takes a second: a fifth of FC_RUNS. */
const moves = Math.ceil(Number(process.env.FC_RUNS ?? 15) / 5);
const timeout = 60_000 + moves * 3000;

const nothingLost = { lostRuns: [], doubledRuns: [], forgottenPauses: [], foreignRuns: [] };

thorough(
  `after ${moves} renames, transfers and re-creations in the middle of work nothing is lost or mixed up, in the embedded store`,
  async () => {
    expect(await moveAround({ moves, seed: 1 })).toEqual(nothingLost);
  },
  timeout,
);

const postgres = await (runsAll ? startPostgres() : undefined);
if (runsAll && !postgres)
  console.info("skipped: moving repositories on PostgreSQL, which is not installed");
afterAll(async () => postgres?.[Symbol.asyncDispose]());

test.skipIf(!postgres)(
  "on PostgreSQL nothing is lost or mixed up either",
  async () => {
    const databaseUrl = postgres?.url ?? "";
    expect(await moveAround({ moves, seed: 2, databaseUrl })).toEqual(nothingLost);
  },
  timeout,
);
