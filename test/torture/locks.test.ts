import { expect, test } from "vitest";
import { longestWaitMs, python, runContest } from "../support/locks/contest.ts";
import { hasProgram } from "../support/project/programs.ts";

const kinds = ["node", "node", "node", "python", "python", "python", "bash", "bash"] as const;
const workers = kinds.filter((kind) => kind !== "python" || python !== undefined);
const count = 2000;
if (python === undefined) console.info("without Python: none here has the package filelock");

/** Python's filelock looks only every 50 ms, so the lock must be free most of the time for it to come to its turn. */
const pauseMs = 80;

test.skipIf(!hasProgram("flock"))(
  "eight processes add 16,000 times under one lock, and 50 are killed while they hold it (G10)",
  async () => {
    const result = await runContest({ workers, count, pauseMs, kills: 50 });
    console.info(JSON.stringify(result));
    const total = workers.length * count;
    expect(result).toMatchObject({ kills: 50, total, missing: [], repeated: [] });
    for (const { longest } of Object.values(result.waitsMs))
      expect(longest).toBeLessThan(longestWaitMs(result));
  },
  900_000,
);
