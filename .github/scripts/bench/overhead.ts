import { runBareLoop } from "./bare-loop.ts";
import { median } from "./median.ts";
import { createProject, type Project } from "./project.ts";
import type { Row } from "./row.ts";
import { runSession } from "./session.ts";
import { timeCommand } from "./time-command.ts";

export type Effort = {
  ralph: string;
  /** The folder everything happens in. */
  place: string;
  rounds: number;
  files: readonly number[];
  tasks: number;
};

const tasksPerRound = 20;
const goalMs = 60;
/** From here on git's own walk over the files counts: four looks at the work tree are granted. */
const manyFiles = 10_000;

/** What a task costs beyond the bare loop: three agent calls, one gate, flushed journal, surfaces, commit. */
export async function measureOverhead({ files, ...effort }: Effort): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of files) rows.push(await measureAt(count, effort));
  return rows;
}

/** Alternating, so that a busy moment of the machine meets both. */
async function measureAt(
  files: number,
  { ralph, place, rounds }: Omit<Effort, "files">,
): Promise<Row> {
  const ms: Record<"bare" | "ralph" | "status", number[]> = { bare: [], ralph: [], status: [] };
  for (let round = 0; round < rounds; round++) {
    const ours = createProject(place, { files, tasks: tasksPerRound });
    ms.ralph.push(...(await runSession(ours, ralph)).taskMs);
    ms.status.push(timeStatus(ours));
    const theirs = createProject(place, { files, tasks: tasksPerRound });
    ms.bare.push(...runBareLoop(theirs));
  }
  const [bareMs, ralphMs, statusMs] = [median(ms.bare), median(ms.ralph), median(ms.status)];
  return {
    what: `a task in ${files.toLocaleString("en")} files (git status ${statusMs.toFixed(0)} ms)`,
    beside: `${bareMs.toFixed(0)} ms`,
    ralph: `${ralphMs.toFixed(0)} ms`,
    figure: ralphMs - bareMs,
    unit: "ms more",
    goal: files < manyFiles ? goalMs : goalMs + 4 * statusMs,
  };
}

const timeStatus = ({ root, env }: Project) =>
  timeCommand({ file: "git", args: ["status", "--porcelain"], cwd: root, env }, 5);
