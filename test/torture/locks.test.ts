import { expect, test } from "vitest";
import { longestWaitMs, python, runContest } from "../support/locks/contest.ts";
import { hasProgram } from "../support/project/programs.ts";
import { amount } from "../support/torture/amount.ts";

const kinds = ["node", "node", "node", "python", "python", "python", "bash", "bash"] as const;
const workers = kinds.filter((kind) => kind !== "python" || python !== undefined);
const count = amount(400, 2000);
const kills = amount(10, 50);
if (python === undefined) console.info("without Python: none here has the package filelock");

/** Python's filelock looks only every 50 ms, so the lock must be free most of the time for it to come to its turn. */
const pauseMs = 80;

test.skipIf(!hasProgram("flock"))(
  "eight processes add under one lock, some are killed while they hold it, and nothing is lost (G10)",
  async ({ task: { meta } }) => {
    const result = await runContest({ workers, count, pauseMs, kills });
    const total = workers.length * count;
    expect(result).toMatchObject({ kills, total, missing: [], repeated: [] });
    meta.figure = `${total} additions by ${workers.length} processes, ${kills} kills, none lost`;
    for (const { longest } of Object.values(result.waitsMs))
      expect(longest).toBeLessThan(longestWaitMs(result));
  },
  900_000,
);
