import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "../../../../test/support/app/postgres.ts";
import { runReplicas } from "../../../../test/support/app/replicas.ts";
import { median } from "../measure.ts";
import type { Effort } from "../overhead.ts";
import { type Row, row } from "../row.ts";

/** Jobs that wait as for GitHub, of many repositories. */
const work = { jobs: 320, groups: 40, waitMs: 120 };
/** Two should do 1.7 times the work of one in the same time. */
const goal = 1 / 1.7;

/** Measures the gain of a second replica on the same database; without a PostgreSQL server nothing is measured. */
export async function measureReplicas({ place, rounds }: Effort): Promise<Row[]> {
  await using postgres = await startPostgres();
  if (!postgres) {
    console.error("skipped: replicas (no PostgreSQL server is installed)");
    return [];
  }
  const ms: Record<1 | 2, number[]> = { 1: [], 2: [] };
  let doubles = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const replicas of [1, 2] as const) {
      const folder = join(place, `replicas-${round}-${replicas}`);
      mkdirSync(folder);
      const given = { ...work, databaseUrl: postgres.url, folder, replicas };
      const result = await runReplicas(given);
      ms[replicas].push(result.ms);
      doubles += result.doubles;
    }
  }
  if (doubles > 0) throw new Error(`${doubles} jobs were done twice.`);
  const [one, two] = [median(ms[1]), median(ms[2])];
  return [
    row(`two replicas on PostgreSQL: ${work.jobs} jobs, none twice`, two / one, "times", {
      ...{ beside: `one ${one.toFixed(0)} ms`, goal },
      ralph: `${two.toFixed(0)} ms, ${(one / two).toFixed(2)} times the work`,
    }),
  ];
}
