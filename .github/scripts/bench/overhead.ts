import { runBareLoop } from "./bare-loop.ts";
import { median, timeCommand, timeInTurns } from "./measure.ts";
import { createProject, type Project } from "./project.ts";
import { type Row, row } from "./row.ts";
import { runSession } from "./session.ts";

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

/** The cost of a task beyond the bare loop, in starts of a process on this machine now. */
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
  const what = `a task${proof ? " with its proof" : ""} in ${files.toLocaleString("en")} files (git status ${statusMs.toFixed(0)} ms, a process ${processMs.toFixed(1)} ms)`;
  return row(what, (ralphMs - bareMs - granted) / processMs, "times", {
    ...{ beside: `${bareMs.toFixed(0)} ms`, ralph: `${ralphMs.toFixed(0)} ms` },
    ...(!proof && { goal: goalProcesses }),
  });
}

const timeStatus = ({ root, env }: Project) =>
  timeCommand({ file: "git", args: ["status", "--porcelain"], cwd: root, env }, 5);

const twenty = { files: 100, tasks: 20 };
const emit = ["omx", "omc", "claude-ralph", "agent-teams"];
const goalMs = 10;

/** The time that the state files of all other tools add to a task; in turns, so that a busy moment meets both. */
export async function measureDialects({ ralph, place, rounds }: Effort): Promise<Row[]> {
  const [plain, emitting]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds + 1; round++) {
    plain.push(...(await runSession(createProject(place, twenty), ralph)).taskMs);
    emitting.push(...(await runSession(createProject(place, { ...twenty, emit }), ralph)).taskMs);
  }
  const [without, withAll] = [median(plain), median(emitting)];
  const shown = { beside: `${without.toFixed(0)} ms in none`, ralph: `${withAll.toFixed(0)} ms` };
  const what = `a task told in ${emit.length} dialects`;
  return [row(what, withAll - without, "ms more", { ...shown, goal: goalMs })];
}

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
  const shown = (nodeMs: number, ms: number) => ({
    ...{ beside: `node alone ${nodeMs.toFixed(0)} ms`, ralph: `${ms.toFixed(0)} ms` },
  });
  const [nodeMs, callMs] = [median(nodes), median(firstCalls)];
  return [
    row("ralph --version", versionMs / node, "times", { ...shown(node, versionMs), goal: 2.5 }),
    row("first agent call after start", callMs / nodeMs, "times", {
      ...{ ...shown(nodeMs, callMs), goal: 9 },
    }),
  ];
}
