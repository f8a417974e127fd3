import { median } from "./median.ts";
import type { Effort } from "./overhead.ts";
import { createProject } from "./project.ts";
import type { Row } from "./row.ts";
import { runSession } from "./session.ts";
import { timeCommand } from "./time-command.ts";

/** How long people wait before anything happens; Node's own start stands beside it. */
export async function measureStart({ ralph, place, rounds }: Effort): Promise<Row[]> {
  const node = timeCommand({ file: process.execPath, args: ["--eval", "0"] }, 20);
  const version = timeCommand({ file: ralph, args: ["--version"] }, 20);
  const firstCalls: number[] = [];
  for (let round = 0; round < 3 * rounds; round++) {
    const project = createProject(place, { files: 1000, tasks: 1 });
    firstCalls.push((await runSession(project, ralph)).firstCallMs);
  }
  const beside = `node alone ${node.toFixed(0)} ms`;
  return [
    startRow("ralph --version", version, { beside, goal: 100 }),
    startRow("first agent call after start", median(firstCalls), { beside, goal: 250 }),
  ];
}

function startRow(
  what: string,
  ms: number,
  { beside, goal }: { beside: string; goal: number },
): Row {
  return { what, beside, ralph: `${ms.toFixed(0)} ms`, figure: ms, unit: "ms", goal };
}
