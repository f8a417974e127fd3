import { runBareLoop } from "./bare-loop.ts";
import { median } from "./median.ts";
import type { Effort } from "./overhead.ts";
import { createProject } from "./project.ts";
import type { Row } from "./row.ts";
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
  return [
    {
      what: `task ${tasks} against task 20`,
      beside: bare.said,
      ralph: ours.said,
      figure: ours.ratio,
      unit: "times",
      goal: 1.3,
    },
    ...promptRows(promptBytes, tasks),
    ...(peakMb === undefined ? [] : [memoryRow(`${tasks} tasks`, peakMb)]),
  ];
}

/** AGENTS.md teaches something with every task, so prompts grow at first; their parts are bounded. */
function promptRows(bytes: readonly number[], tasks: number): Row[] {
  const at = (task: number) => bytes[(task - 1) * callsPerTask] ?? Number.NaN;
  const row = (from: number, to: number): Row => ({
    what: `prompt of task ${to} against task ${from}`,
    beside: "",
    ralph: `${at(from)} to ${at(to)} bytes`,
    figure: at(to) / at(from),
    unit: "times",
  });
  const last = { ...row(200, tasks), goal: 1.1 };
  return tasks > 200 ? [row(5, 200), last] : [row(5, tasks)];
}

export function memoryRow(what: string, peakMb: number): Row {
  return {
    what: `memory: ${what}`,
    beside: "",
    ralph: `${peakMb.toFixed(0)} MB`,
    figure: peakMb,
    unit: "MB",
    goal: 120,
  };
}

/** Medians of twenty tasks around the twentieth, and of the last twenty. */
function describeGrowth(taskMs: readonly number[]): { ratio: number; said: string } {
  const [early, late] = [median(taskMs.slice(10, 30)), median(taskMs.slice(-20))];
  return { ratio: late / early, said: `${early.toFixed(0)} to ${late.toFixed(0)} ms` };
}
