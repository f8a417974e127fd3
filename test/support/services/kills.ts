import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isPortOpen } from "../../../src/platform/net/is-port-open.ts";
import {
  readLink,
  readProcesses,
  readVariable,
} from "../../../src/platform/process/process-table.ts";
import { task } from "../builders/session.ts";
import { momentsOf, type NamedPoint } from "../crash/sweep.ts";
import { bundle } from "../project/bundle.ts";
import { createProject, type Project } from "../project/project.ts";
import { webAppFiles, webAppServices } from "./web-app.ts";

/** `ralph verify`, or a run whose criteria need the services, and which finds its page red at its end and repairs it. */
export interface KillPlace {
  command: "verify" | "run";
  sandbox: "required" | "off";
}

export const killPlaces: readonly KillPlace[] = [
  { command: "verify", sandbox: "off" },
  { command: "verify", sandbox: "required" },
  { command: "run", sandbox: "off" },
  { command: "run", sandbox: "required" },
];

type Child = { pid: number; code: number | null; output: string };
type Orders = { point?: NamedPoint; effects?: string };
type Stage = Awaited<ReturnType<typeof createStage>>;

const tests = [{ name: "home", action: "open", expected: "Users" }];

async function createStage({ sandbox, command }: KillPlace) {
  const child = await bundle("crash-child");
  const services = await webAppServices();
  const files = webAppFiles();
  const html =
    files["index.html"]?.replaceAll("Users", command === "run" ? "Clients" : "Users") ?? "";
  const project = await createProject({
    tasks: [task("T-001", { acceptanceCriteria: ["GET /health returns 200"] })],
    agent: { fix: "sed -i s/Clients/Users/ index.html; signal fix-done" },
    files: { ...files, "index.html": html, ".gitignore": ".ralph-session/\n" },
    config: { services, ui: { agent_browser: { enabled: true, tests } } },
    sandbox: { mode: sandbox },
    visible: [dirname(child), dirname(process.execPath)],
  });
  return {
    project,
    ports: [services.backend.port, services.frontend.port],
    start: (args: readonly string[], orders: Orders = {}) =>
      runChild(project, [child, JSON.stringify(orders), ...args]),
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}

/** Every point from the first service on, in the order of one whole run. */
export async function findKillPoints(place: KillPlace): Promise<NamedPoint[]> {
  await using stage = await createStage(place);
  const effects = join(stage.project.folder, "effects");
  const { code, output } = await stage.start([place.command], { effects });
  if (code !== 0) throw new Error(output);
  return pointsOf(readFileSync(effects, "utf8").trim().split("\n"));
}

/** Kills it there in a new project, and tells what is left then, or after the next start where only that can end it. */
export async function killAt(place: KillPlace, point: NamedPoint): Promise<string[]> {
  await using stage = await createStage(place);
  const killed = await stage.start([place.command], { point });
  const faults = killed.code === null ? [] : [`was not killed: ${killed.output.slice(-800)}`];
  if (place.sandbox === "required") faults.push(...(await leftAfter(killed, stage)));
  const again = await goOn(place, stage);
  if (again.code !== 0) faults.push(`then ended with ${again.code}: ${again.output.slice(-800)}`);
  faults.push(...(await leftAfter(killed, stage)), ...leftFiles(stage.project));
  if (place.command === "run") faults.push(...unlikeUndisturbed(stage.project));
  const where = `${place.command}, sandbox ${place.sandbox}, ${point.how} effect ${point.at}, ${point.name}`;
  return faults.map((fault) => `${where}: ${fault}`);
}

/** The commits of a run that nothing disturbed: one for the task, and one for the repair. */
function unlikeUndisturbed(project: Project): string[] {
  const subjects = project.commits().map((subject) => subject.split(/[(:]/)[0]);
  const isClean = project.git("status", "--porcelain") === "";
  return [
    ...(subjects.join() === "feat,fix" ? [] : [`its commits are ${subjects.join()}`]),
    ...(isClean ? [] : ["its work tree is not clean"]),
  ];
}

/** Only a session that has no end yet can be resumed. */
async function goOn({ command }: KillPlace, { start }: Stage): Promise<Child> {
  if (command === "verify") return start(["verify"]);
  const resumed = await start(["run", "--resume"]);
  return resumed.code === 2 ? start(["run"]) : resumed;
}

/** Before the first service there is nothing of theirs to be left. */
function pointsOf(names: readonly string[]): NamedPoint[] {
  const first = names.findIndex((name) => name.startsWith("start-long"));
  const points = names.flatMap((name, index) =>
    momentsOf(name).map((how) => ({ at: index + 1, how, name })),
  );
  return points.filter(({ at }) => at > first);
}

function runChild({ root, system }: Project, args: readonly string[]): Promise<Child> {
  const env = { ...system.env };
  return new Promise((resolve) => {
    const started = execFile(process.execPath, args, { cwd: root, env }, (_, stdout, stderr) =>
      resolve({ pid: started.pid ?? 0, code: started.exitCode, output: `${stdout}${stderr}` }),
    );
  });
}

/** The kernel ends a whole sandbox within a moment. */
async function leftAfter({ pid }: Child, { project, ports }: Stage): Promise<string[]> {
  let faults: string[] = [];
  for (let attempt = 0; attempt < 50; attempt++) {
    const open = await Promise.all(ports.map(isPortOpen));
    faults = [
      ...leftProcesses(pid, project.folder).map((id) => `process ${id} is left`),
      ...ports.filter((_, index) => open[index]).map((port) => `port ${port} is open`),
    ];
    if (faults.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return faults;
}

/** By the mark of the killed program, or by their folder. */
function leftProcesses(owner: number, folder: string): number[] {
  const isLeft = ({ pid }: { pid: number }) =>
    readVariable(pid, "RALPH_CALL")?.startsWith(`${owner}-`) ||
    readLink(`/proc/${pid}/cwd`)?.startsWith(folder);
  return readProcesses()
    .filter(isLeft)
    .map(({ pid }) => pid);
}

function leftFiles({ root, stateDir }: Project): string[] {
  const paths = [`${root}/.ralph-session`, stateDir].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((path) => `${folder}/${path}`),
  );
  return paths
    .filter((path) => /ralph-tmp-[^/]*$|\/pids\/./.test(path))
    .map((path) => `${path} is left`);
}
