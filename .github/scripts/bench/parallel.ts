import type { Effort } from "./overhead.ts";
import { createProject } from "./project.ts";
import type { Row } from "./row.ts";
import { runSession } from "./session.ts";

const files = 100;

/** Tasks, workers, and how many times as fast as one after the other they are to be. */
const sizes = [
  { tasks: 12, workers: 4, goal: 3.6 },
  { tasks: 48, workers: 8, goal: 7 },
];

/** Independent tasks with agents of a second, each task three calls, one after the other and side by side. */
export async function measureParallel({ ralph, place }: Effort): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { tasks, workers, goal } of sizes) {
    const one = await seconds(ralph, createProject(place, { files, tasks, parallel: 1 }));
    const many = await seconds(ralph, createProject(place, { files, tasks, parallel: workers }));
    rows.push({
      what: `${tasks} tasks, ${workers} workers`,
      beside: `${one.toFixed(1)} s one by one`,
      ralph: `${many.toFixed(1)} s`,
      figure: one / many,
      unit: "times",
      goal,
      isMoreBetter: true,
    });
  }
  return rows;
}

async function seconds(ralph: string, project: ReturnType<typeof createProject>): Promise<number> {
  const startedAt = performance.now();
  await runSession(project, ralph);
  return (performance.now() - startedAt) / 1000;
}
