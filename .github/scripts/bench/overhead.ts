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
/** Starts of a process that a task may cost: a dozen of git's, the disk, and what ralph computes. */
const goalProcesses = 20;
/** From here on git's own walk over the files counts: four looks at the work tree are granted. */
const manyFiles = 10_000;

/**
 * The cost of a task beyond the bare loop, in starts of a process on this machine now: three agent calls, one gate, flushed
 * journal, views, commit.
 */
export async function measureOverhead({ files, ...effort }: Effort): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of files) rows.push(await measureAt({ files: count }, effort));
  const [fewest = 100] = files;
  rows.push(await measureAt({ files: fewest, proof: true }, effort));
  return rows;
}

/** Alternating, so that a busy moment of the machine meets both. */
async function measureAt(
  { files, proof = false }: { files: number; proof?: boolean },
  { ralph, place, rounds }: Omit<Effort, "files">,
): Promise<Row> {
  const ms: Record<"bare" | "ralph" | "status" | "process", number[]> = {
    ...{ bare: [], ralph: [], status: [], process: [] },
  };
  for (let round = 0; round < rounds; round++) {
    const ours = createProject(place, { files, tasks: tasksPerRound, proof });
    ms.ralph.push(...(await runSession(ours, ralph)).taskMs);
    ms.status.push(timeStatus(ours));
    const theirs = createProject(place, { files, tasks: tasksPerRound });
    ms.bare.push(...runBareLoop(theirs));
    ms.process.push(timeCommand({ file: "true", args: [] }, 20));
  }
  const [bareMs, ralphMs, statusMs] = [median(ms.bare), median(ms.ralph), median(ms.status)];
  const processMs = median(ms.process);
  const granted = files < manyFiles ? 0 : 4 * statusMs;
  return {
    what: `a task${proof ? " with its proof" : ""} in ${files.toLocaleString("en")} files (git status ${statusMs.toFixed(0)} ms, a process ${processMs.toFixed(1)} ms)`,
    beside: `${bareMs.toFixed(0)} ms`,
    ralph: `${ralphMs.toFixed(0)} ms`,
    figure: (ralphMs - bareMs - granted) / processMs,
    unit: "times",
    ...(proof ? {} : { goal: goalProcesses }),
  };
}

const timeStatus = ({ root, env }: Project) =>
  timeCommand({ file: "git", args: ["status", "--porcelain"], cwd: root, env }, 5);
