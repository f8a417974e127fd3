import { runBareLoop } from "./bare-loop.ts";
import { median } from "./measure.ts";
import type { Effort } from "./overhead.ts";
import { createProject } from "./project.ts";
import { type Row, row } from "./row.ts";
import { runSession } from "./session.ts";

const files = 100;
const callsPerTask = 3;

/** Time per task, memory and prompts, which should not grow with the number of tasks. */
export async function measureGrowth({ ralph, place, tasks }: Effort): Promise<Row[]> {
  const project = createProject(place, { files, tasks });
  const { taskMs, promptBytes, peakMb } = await runSession(project, ralph);
  const other = createProject(place, { files, tasks });
  const bare = describeGrowth(runBareLoop(other));
  const ours = describeGrowth(taskMs);
  const shown = { beside: bare.said, ralph: ours.said };
  return [
    row(`task ${tasks} against task 20`, ours.ratio, "times", { ...shown, goal: 1.3 }),
    ...promptRows(promptBytes, tasks),
    ...(peakMb === undefined ? [] : [memoryRow(`${tasks} tasks`, peakMb)]),
  ];
}

/** AGENTS.md teaches something with every task, so prompts grow at first; their parts are bounded. */
function promptRows(bytes: readonly number[], tasks: number): Row[] {
  const at = (task: number) => bytes[(task - 1) * callsPerTask] ?? Number.NaN;
  const promptRow = (from: number, to: number, more: Partial<Row> = {}) =>
    row(`prompt of task ${to} against task ${from}`, at(to) / at(from), "times", {
      ...{ ralph: `${at(from)} to ${at(to)} bytes`, ...more },
    });
  const last = promptRow(200, tasks, { goal: 1.1 });
  return tasks > 200 ? [promptRow(5, 200), last] : [promptRow(5, tasks)];
}

const memoryRow = (what: string, peakMb: number) =>
  row(`memory: ${what}`, peakMb, "MB", { goal: 120 });

/** Medians of twenty tasks around the twentieth, and of the last twenty. */
function describeGrowth(taskMs: readonly number[]): { ratio: number; said: string } {
  const [early, late] = [median(taskMs.slice(10, 30)), median(taskMs.slice(-20))];
  return { ratio: late / early, said: `${early.toFixed(0)} to ${late.toFixed(0)} ms` };
}

const gigabytes = 5;

/** Memory while an agent prints gigabytes without a line end. */
export async function measureFlood({ ralph, place }: Effort): Promise<Row[]> {
  const flood = `head -c ${gigabytes}G /dev/zero\n`;
  const project = createProject(place, { files: 10, tasks: 1, flood });
  const { peakMb } = await runSession(project, ralph);
  return peakMb === undefined ? [] : [memoryRow(`an agent prints ${gigabytes} GB`, peakMb)];
}

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
    const shown = { beside: `${one.toFixed(1)} s one by one`, ralph: `${many.toFixed(1)} s` };
    const what = `${tasks} tasks, ${workers} workers`;
    rows.push(row(what, one / many, "times", { ...shown, goal, isMoreBetter: true }));
  }
  return rows;
}

async function seconds(ralph: string, project: ReturnType<typeof createProject>): Promise<number> {
  const startedAt = performance.now();
  await runSession(project, ralph);
  return (performance.now() - startedAt) / 1000;
}
