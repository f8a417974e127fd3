import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createProgram } from "../../../src/cli/program.ts";
import type { Fact, FactOf, RunEvent, RunTask } from "../../../src/core/state/event.ts";
import type { EvidenceRef } from "../../../src/core/state/measurement.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import { replayJournal } from "../../../src/journal/journal.ts";
import { createFiles } from "../../../src/platform/fs/files.ts";
import type { Clock, Environment, System } from "../../../src/platform/system.ts";
import { withoutProof } from "../builders/config.ts";
import { task } from "../builders/session.ts";
import { createGitProject, type GitProject } from "./git.ts";
import { type AgentScripts, renderAgent } from "./shell-agent.ts";

export interface ProjectOptions {
  /** Default: T-001 to T-004, each with one criterion for the reviewer. */
  tasks?: readonly RunTask[];
  /** What the agents do, in shell (`shell-agent.ts`); a role without a script does honest work. */
  agent?: AgentScripts;
  /** Commands of the full gates, by name. Default: one that passes. */
  gates?: Record<string, string>;
  /** Top-level keys of ralph.yml that replace ours. */
  config?: Record<string, unknown>;
  /** Further keys of `agents`. */
  agents?: Record<string, unknown>;
  /** Further folders programs in the sandbox can use. */
  visible?: readonly string[];
  /** Keys of `sandbox`. Default: off. */
  sandbox?: Record<string, unknown>;
  /** Further keys of prd.json. */
  prd?: Record<string, unknown>;
  /** Further files of the first commit. */
  files?: Record<string, string>;
  env?: Environment;
  /** Stands between `ralph` and the machine. */
  wrap?: (system: System) => System;
  /** Shortens the time limits of agents and gates, milliseconds: those of the configuration start at a minute. */
  limits?: { timeoutMs?: number; idleMs?: number };
}

/** A repository with `.ralph` files, a home, a state directory, and `ralph` in this process. */
export interface Project extends GitProject {
  /** `ralph run ARGS`, then what it has left in its journal. */
  run: (...args: string[]) => Promise<Outcome>;
  /** The same, started in another folder. */
  runIn: (directory: string, ...args: string[]) => Promise<Outcome>;
  /** Any command. */
  ralph: (...args: string[]) => Promise<Ended>;
  /** The same, started in another folder. */
  ralphIn: (directory: string, ...args: string[]) => Promise<Ended>;
  /** Text of a piece of evidence, of whatever session holds it. */
  evidence: (ref: EvidenceRef | undefined) => string;
  /** Subjects of `main..HEAD`, oldest first. */
  commits: () => string[];
  /** The task list as it is now. */
  prd: () => { tasks: { id: string; passes: boolean; notes?: string }[] };
}

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface Outcome extends Ended {
  state: SessionState;
  events: readonly RunEvent[];
  facts: <Type extends Fact["type"]>(type: Type) => FactOf<Type>[];
  /** Prompts of a role's calls, in order. */
  prompts: (role: string) => string[];
}

/** What the default list works on. */
export const branch = "ralph/example";

export async function createProject(options: ProjectOptions = {}): Promise<Project> {
  const project = await createGitProject(options.files);
  const program = join(project.folder, "bin/agent");
  mkdirSync(join(project.folder, "bin"));
  writeFileSync(program, renderAgent(options.agent ?? {}));
  chmodSync(program, 0o755);
  project.write(".ralph/ralph.yml", renderConfig(options, program));
  project.write(".ralph/prd.json", renderTaskList(options));
  project.git("add", "-A");
  project.git("commit", "-qm", "tasks");
  const env = { ...project.system.env, RALPH_STATE_DIR: project.stateDir, ...options.env };
  const { wrap = (whole: System) => whole } = options;
  const system = wrap({
    ...project.system,
    env,
    clock: createHastyClock(project.system.clock),
    supervise: (command) => project.system.supervise({ ...command, ...options.limits }),
  });
  const ralphIn = (directory: string, args: string[]) => runProgram(system, { directory, args });
  const evidence = (ref: EvidenceRef | undefined) => readEvidence(project.stateDir, ref);
  const runIn = async (directory: string, ...args: string[]) => {
    const before = sessionFolders(project.stateDir);
    const ended = await ralphIn(directory, ["run", ...args]);
    const folders = sessionFolders(project.stateDir);
    const folder = folders.find((each) => !before.includes(each)) ?? folders.at(-1);
    return { ...ended, ...(await readSession(folder, { ended, evidence })) };
  };
  return {
    ...project,
    system,
    ralph: (...args) => ralphIn(project.root, args),
    ralphIn: (directory, ...args) => ralphIn(directory, args),
    evidence,
    runIn,
    run: (...args) => runIn(project.root, ...args),
    commits: () => {
      const subjects = project.git("log", "--reverse", "--format=%s", "main..HEAD");
      return subjects === "" ? [] : subjects.split("\n");
    },
    prd: () => JSON.parse(project.read(".ralph/prd.json")),
  };
}

function renderConfig(options: ProjectOptions, program: string): string {
  const { gates, agents, config, sandbox } = options;
  const settings = { driver: "command", command: program };
  const full = Object.entries(gates ?? { check: "true" }).map(([name, cmd]) => ({ name, cmd }));
  const content = {
    version: "1",
    task_source: { type: "prd_json", path: ".ralph/prd.json" },
    git: { base_branch: "main" },
    gates: { full },
    proof: withoutProof,
    agents: { implementation: settings, test_writing: settings, review: settings, ...agents },
    ...config,
    // In the sandbox temporary folders are empty, but for what is named.
    sandbox: { mode: "off", writable: [dirname(program), ...(options.visible ?? [])], ...sandbox },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function renderTaskList({ tasks, prd }: ProjectOptions): string {
  const list = tasks ?? ["T-001", "T-002", "T-003", "T-004"].map((id) => task(id));
  const head = { project: "Example", branchName: branch, description: "An example project" };
  return `${JSON.stringify({ ...head, ...prd, tasks: list }, null, 2)}\n`;
}

/** The machine's clock, but nobody has to wait for what only sleeps. */
function createHastyClock(clock: Clock): Clock {
  let skippedMs = 0;
  return {
    now: () => clock.now() + skippedMs,
    monotonic: () => clock.monotonic() + skippedMs,
    sleep: async (ms) => {
      skippedMs += ms;
    },
  };
}

async function runProgram(
  system: System,
  { directory, args }: { directory: string; args: string[] },
): Promise<Ended> {
  const ended = { exitCode: -1, stdout: "", stderr: "" };
  const capture = (name: "stdout" | "stderr") => ({
    write: (text: string) => {
      ended[name] += text;
    },
  });
  const program = await createProgram(
    {
      system: () => system,
      directory,
      streams: { stdout: capture("stdout"), stderr: capture("stderr") },
      cancel: () => new AbortController().signal,
      exit: (code) => {
        ended.exitCode = code;
      },
    },
    args,
  );
  await program.parseAsync(["node", "ralph", ...args]);
  return ended;
}

/** Folders of the sessions in the store, oldest first. */
export function sessionFolders(stateDir: string): string[] {
  const folders = readdirSync(stateDir).map((store) => join(stateDir, store, "sessions"));
  return folders.filter(existsSync).flatMap((sessions) =>
    readdirSync(sessions)
      .sort()
      .map((id) => join(sessions, id)),
  );
}

async function readSession(
  folder: string | undefined,
  { ended, evidence }: { ended: Ended; evidence: (ref: EvidenceRef | undefined) => string },
) {
  const events: RunEvent[] = [];
  const replay = folder
    ? await replayJournal(createFiles(folder), (event) => void events.push(event))
    : undefined;
  if (!replay || ended.exitCode === 70) throw new Error(`There was no session: ${ended.stderr}`);
  const facts = <Type extends Fact["type"]>(type: Type) =>
    events.filter((event): event is RunEvent & FactOf<Type> => event.type === type);
  const prompts = (role: string) =>
    facts("agent_start")
      .filter((start) => start.role === role)
      .map(({ prompt }) => evidence(prompt));
  return { state: replay.state, events, facts, prompts };
}

function readEvidence(stateDir: string, ref: EvidenceRef | undefined): string {
  for (const folder of ref ? sessionFolders(stateDir) : []) {
    const names = readdirSync(join(folder, "evidence"));
    if (ref && names.includes(ref.sha256)) {
      return readFileSync(join(folder, "evidence", ref.sha256), "utf8");
    }
  }
  throw new Error("There is no such evidence.");
}
