import { median } from "./median.ts";
import type { Effort } from "./overhead.ts";
import { createProject } from "./project.ts";
import type { Row } from "./row.ts";
import { runSession } from "./session.ts";

const size = { files: 100, tasks: 20 };
const emit = ["omx", "omc", "claude-ralph", "agent-teams"];
const goalMs = 10;

/** The time that the state files of all other tools add to a task; in turns, so that a busy moment meets both. */
export async function measureDialects({ ralph, place, rounds }: Effort): Promise<Row[]> {
  const [plain, emitting]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds + 1; round++) {
    plain.push(...(await runSession(createProject(place, size), ralph)).taskMs);
    emitting.push(...(await runSession(createProject(place, { ...size, emit }), ralph)).taskMs);
  }
  return [
    {
      what: `a task told in ${emit.length} dialects`,
      beside: `${median(plain).toFixed(0)} ms in none`,
      ralph: `${median(emitting).toFixed(0)} ms`,
      figure: median(emitting) - median(plain),
      unit: "ms more",
      goal: goalMs,
    },
  ];
}
