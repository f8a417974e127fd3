import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AutopilotProject, createAutopilotProject } from "../autopilot/project.ts";
import { bundle } from "../project/bundle.ts";
import { endOf } from "../project/command.ts";
import type { KillPoint, Moment } from "./system.ts";

export type Orders = {
  point?: KillPoint;
  effects?: string;
  /** When to send it SIGINT. */
  interrupt?: () => boolean;
};

/** `ralph ARGS` as a process of its own, which ends itself by SIGKILL at a point. */
export async function runChild(project: AutopilotProject, orders: Orders, args: string[]) {
  const { interrupt, ...told } = orders;
  const { env } = project.system;
  const command = [await bundle("crash-child"), JSON.stringify(told), ...args];
  const started = spawn(process.execPath, command, { cwd: project.root, env });
  const timer = setInterval(() => {
    if (!interrupt?.()) return;
    clearInterval(timer);
    started.kill("SIGINT");
  }, 20);
  const ended = await endOf(started);
  clearInterval(timer);
  return ended;
}

export type AutopilotPoint = { at: number; how: Moment; name: string };

/** Where a run begins; `aside`: on a branch whose files are others than those of the base branch. */
export type Begin = "base" | "aside";

/** A project to kill runs in. */
export async function createKillProject(begin: Begin): Promise<AutopilotProject> {
  const project = await createAutopilotProject({
    files: { "old.txt": "old\n", "both.txt": "base\n" },
  });
  if (begin === "base") return project;
  project.git("switch", "-qc", "aside");
  project.git("rm", "-q", "old.txt");
  project.write("both.txt", "aside, and longer\n");
  project.write("new/file.txt", "new\n");
  project.git("add", "-A");
  project.git("commit", "-qm", "aside");
  return project;
}

/** Every effect of a run up to the session's first agent call, with the moments it can be killed at. */
export async function enumerateEffects(begin: Begin): Promise<AutopilotPoint[]> {
  await using project = await createKillProject(begin);
  const effects = join(project.folder, "effects");
  const ended = await runChild(project, { effects }, ["autopilot"]);
  if (ended.exitCode !== 0) throw new Error(`${ended.stdout}${ended.stderr}`);
  const names = readFileSync(effects, "utf8").trim().split("\n");
  return names.flatMap((name, index) => {
    const moments: Moment[] = name.endsWith("(half)")
      ? ["before", "within", "after"]
      : ["before", "after"];
    return moments.map((how) => ({ at: index + 1, how, name }));
  });
}

const finished = [
  "docs: add PRD for Repair the login form",
  "chore: add prd.json tasks for Repair the login form",
  "feat(T-001): Write part 1 of number 1",
  "feat(T-002): Write part 2 of number 2",
].join("\n");

/** Kills a run at a point, resumes it, and answers what is wrong then. */
async function killAndResume(point: KillPoint, begin: Begin): Promise<string[]> {
  await using project = await createKillProject(begin);
  await runChild(project, { point }, ["autopilot"]);
  const resumed = await project.ralph("autopilot", "--resume");
  // Killed before anything was kept, or after everything was: then there is nothing to go on with.
  const isNothing =
    resumed.exitCode === 2 && resumed.stderr.includes("no unfinished autopilot run");
  const again = isNothing ? await project.ralph("autopilot") : resumed;
  const faults: string[] = [];
  if (![0, 10].includes(again.exitCode)) faults.push(`exit ${again.exitCode}: ${again.stderr}`);
  const commits = project.commits().join("\n");
  if (commits !== finished) faults.push(`commits: ${commits}`);
  if (project.git("status", "--porcelain") !== "")
    faults.push(project.git("status", "--porcelain"));
  const branches = project.git("branch", "--format=%(refname:short)").split("\n").join(" ");
  const expected = begin === "aside" ? "aside main" : "main";
  if (branches !== `${expected} ralph/login-form`) faults.push(`branches: ${branches}`);
  const record = await project.record();
  if (record.phase !== "completed") faults.push(`phase ${record.phase}`);
  const third = await project.ralph("autopilot");
  if (third.exitCode !== 10) faults.push(`a third run: exit ${third.exitCode} ${third.stderr}`);
  return faults;
}

/** An effect by how its name begins, which of them, and when; usually half-way. */
type Wanted = readonly [name: string, nth: number, how?: Moment];

/** Effects of every phase that change something. */
export const phases: readonly Wanted[] = [
  ["write autopilot/", 1],
  ["write autopilot/", 2],
  ["write .ralph/autopilot/runs/", 3],
  ["ask git update-ref", 1],
  ["write tasks/", 1],
  ["ask git update-ref", 2],
  ["write .ralph/prd.json", 1],
  ["copy-locked index", 2],
  ["write autopilot/", 9],
  ["write journal.jsonl", 1],
  ["supervise agent", 1],
];

/** Effects between leaving another branch and checking out the run's own, files, HEAD and index. */
export const way: readonly Wanted[] = [
  ["ask git read-tree", 1],
  ["copy-locked index", 1],
  ["copy-locked index", 1, "after"],
  ["write HEAD", 2, "after"],
];

/** What is wrong after a kill at each of them; two at a time. */
export async function killAll(wanted: readonly Wanted[], begin: Begin): Promise<string[]> {
  const points = await enumerateEffects(begin);
  const faults: string[] = [];
  const waiting = [...wanted];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, nth, how = "within"] = next;
      const found = points.filter((each) => each.name.startsWith(name) && each.how === how);
      const point = found[nth - 1];
      const reported = point ? await killAndResume(point, begin) : ["it does not happen"];
      faults.push(...reported.map((fault) => `${how} ${name} ${nth}: ${fault}`));
    }
  };
  await Promise.all([work(), work()]);
  return faults;
}
