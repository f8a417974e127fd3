import { runBareLoop } from "./bare-loop.ts";
import { median } from "./median.ts";
import { createProject } from "./project.ts";
import type { Row } from "./row.ts";
import { runSession } from "./session.ts";
import { timeCommand } from "./time-command.ts";

export type Effort = { ralph: string; rounds: number; files: readonly number[]; tasks: number };

const tasksPerRound = 20;
const goalMs = 60;
/** From here on git's own walk over the files counts: four looks at the work tree are granted. */
const manyFiles = 10_000;

/** What a task costs beyond the bare loop: three agent calls, one gate, flushed journal, surfaces, commit. */
export async function measureOverhead({ ralph, rounds, files }: Effort): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of files) rows.push(await measureAt(count, { ralph, rounds }));
  return rows;
}

/** Alternating, so that a busy moment of the machine meets both. */
async function measureAt(
  files: number,
  { ralph, rounds }: Pick<Effort, "ralph" | "rounds">,
): Promise<Row> {
  const size = { files, tasks: tasksPerRound };
  const [bare, ours, looks]: number[][] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    using one = createProject(size);
    ours?.push(...(await runSession(one, ralph)).taskMs);
    using other = createProject(size);
    bare?.push(...runBareLoop(other));
    const status = { file: "git", args: ["status", "--porcelain"], cwd: one.root, env: one.env };
    looks?.push(timeCommand(status, 5));
  }
  const [bareMs, ralphMs, statusMs] = [median(bare ?? []), median(ours ?? []), median(looks ?? [])];
  return {
    what: `a task in ${files.toLocaleString("en")} files (git status ${statusMs.toFixed(0)} ms)`,
    beside: `${bareMs.toFixed(0)} ms`,
    ralph: `${ralphMs.toFixed(0)} ms`,
    figure: ralphMs - bareMs,
    unit: "ms more",
    goal: files < manyFiles ? goalMs : goalMs + 4 * statusMs,
  };
}
