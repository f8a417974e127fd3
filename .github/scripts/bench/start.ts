import { median } from "./median.ts";
import type { Effort } from "./overhead.ts";
import { createProject } from "./project.ts";
import type { Row } from "./row.ts";
import { runSession } from "./session.ts";
import { timeInTurns } from "./time-command.ts";

const bare = { file: process.execPath, args: ["--eval", "0"] };

/** How long people wait before anything happens, as a multiple of what Node alone needs to start on this machine now. */
export async function measureStart({ ralph, place, rounds }: Effort): Promise<Row[]> {
  const version = { file: ralph, args: ["--version"] };
  const [node = Number.NaN, versionMs = Number.NaN] = timeInTurns([bare, version], 20);
  const firstCalls: number[] = [];
  const nodes: number[] = [];
  for (let round = 0; round < 3 * rounds; round++) {
    const project = createProject(place, { files: 1000, tasks: 1 });
    nodes.push(...timeInTurns([bare], 3));
    firstCalls.push((await runSession(project, ralph)).firstCallMs);
  }
  return [
    startRow("ralph --version", { node, ms: versionMs, goal: 2.5 }),
    startRow("first agent call after start", {
      node: median(nodes),
      ms: median(firstCalls),
      goal: 9,
    }),
  ];
}

function startRow(
  what: string,
  { node, ms, goal }: { node: number; ms: number; goal: number },
): Row {
  return {
    ...{ what, beside: `node alone ${node.toFixed(0)} ms`, ralph: `${ms.toFixed(0)} ms` },
    ...{ figure: ms / node, unit: "times", goal },
  };
}
