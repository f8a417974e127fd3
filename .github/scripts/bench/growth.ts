import { runBareLoop } from "./bare-loop.ts";
import { median } from "./median.ts";
import type { Effort } from "./overhead.ts";
import { createProject } from "./project.ts";
import type { Row } from "./row.ts";
import { runSession } from "./session.ts";

const files = 100;
const callsPerTask = 3;

/** What grows with the number of tasks: time per task, memory and prompts. Nothing should. */
export async function measureGrowth({ ralph, tasks }: Effort): Promise<Row[]> {
  using project = createProject({ files, tasks });
  const { taskMs, promptBytes, peakMb } = await runSession(project, ralph);
  using other = createProject({ files, tasks });
  const bare = describeGrowth(runBareLoop(other));
  const ours = describeGrowth(taskMs);
  const [early = 0, late = 0] = [5, Math.min(200, tasks)].map(
    (task) => promptBytes[(task - 1) * callsPerTask],
  );
  return [
    {
      what: `task ${tasks} against task 20`,
      beside: bare.said,
      ralph: ours.said,
      figure: ours.ratio,
      unit: "times",
      goal: 1.3,
    },
    {
      what: "prompt of task 200 against task 5",
      beside: "",
      ralph: `${early} to ${late} bytes`,
      figure: late / early,
      unit: "times",
      goal: 1.1,
    },
    ...(peakMb === undefined ? [] : [memoryRow(`${tasks} tasks`, peakMb)]),
  ];
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
