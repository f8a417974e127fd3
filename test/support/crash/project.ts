import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withoutProof } from "../builders/config.ts";
import { bundle } from "../project/bundle.ts";
import { compileCache } from "../project/compile-cache.ts";
import { createGitProject } from "../project/git.ts";
import type { KillPoint } from "./system.ts";

/** A repository with a few tasks, ready to be copied, and a `ralph` that can be told when to die. */
export interface CrashTemplate extends AsyncDisposable {
  readonly folder: string;
  copy: (name: string) => CrashProject;
}

export interface CrashProject extends Disposable {
  /** Those of its tasks. */
  readonly ids: readonly string[];
  /** Its tasks run side by side, so nobody knows in which order they pass. */
  readonly isParallel: boolean;
  readonly root: string;
  readonly stateDir: string;
  readonly env: NodeJS.ProcessEnv;
  ralph: (args: readonly string[], orders?: Orders) => Promise<Ended>;
  git: (...args: string[]) => Promise<string>;
  /** The same with another checkout and another state directory. */
  elsewhere: (place: { root: string; stateDir: string }) => CrashProject;
}

/** What the process does at which effect, and the files that name its effects and the errors it has met. */
export type Orders = { point?: KillPoint; effects?: string; errors?: string };

/** `code` is null after a signal. */
export type Ended = { code: number | null; output: string };

/**
 * An agent of a few milliseconds. T-002 breaks the gate at first, the first review of T-003 rejects, and T-001
 * has something to teach.
 */
const renderAgent = (onCall: string) => `#!/bin/sh
token=
while IFS= read -r line || [ -n "$line" ]; do
  case $line in ralph-[0-9]*-[0-9]*-*) token=$line ;; esac
done
task=$RALPH_TASK_ID
${onCall}
signal() { printf '<%s session="%s">\\n%s\\n</%s>\\n' "$1" "$token" "$2" "$1"; }
case $RALPH_ROLE in
implementation)
  mkdir -p src
  echo "attempt $RALPH_ATTEMPT" >>"src/$task.txt"
  rm -f src/broken.txt
  [ "$task$RALPH_ATTEMPT" = T-0021 ] && echo broken >src/broken.txt
  learning=
  [ "$task" = T-001 ] && learning='
## Learnings
- Text files live in src
## Patterns
- One file for each task'
  signal task-done "## Changes
- wrote $task$learning" ;;
test_writing)
  mkdir -p tests
  echo "attempt $RALPH_ATTEMPT" >>"tests/$task.test.txt"
  signal tests-done "" ;;
review)
  if [ "$task$RALPH_ATTEMPT" = T-0031 ]; then signal review-rejected "- src: too short"; else signal review-approved ""; fi ;;
esac
`;

const task = (id: string, more: object) => ({
  id,
  title: `Write ${id}`,
  description: "One more text file",
  acceptanceCriteria: [`File \`src/${id}.txt\` exists`, "It reads well"],
  priority: Number(id.slice(2)),
  passes: false,
  ...more,
});

const taskList = {
  project: "Crash",
  branchName: "ralph/crash",
  description: "Small tasks",
  tasks: [
    task("T-001", {
      acceptanceCriteria: ["Run `test -s src/T-001.txt` exits with 0", "It reads well"],
    }),
    task("T-002", { requiresTests: false }),
    task("T-003", {}),
    task("T-004", { dependsOn: ["T-001"] }),
    task("T-005", {}),
  ],
};

function renderTasks({ taskCount, isParallel }: TemplateChoice): string {
  const tasks = taskList.tasks
    .slice(0, taskCount)
    .map((each) => (isParallel ? { ...each, priority: 1 } : each));
  return `${JSON.stringify({ ...taskList, tasks }, null, 2)}\n`;
}

const config = (command: string, { gate, isParallel, emit }: TemplateChoice) => `version: "1"
task_source: { type: prd_json, path: .ralph/prd.json }
git: { base_branch: main }
sandbox: { mode: "off" }
memory: { learnings: write }
compat: { emit: ${JSON.stringify(emit)} }
proof: ${JSON.stringify(withoutProof)}
limits: { parallel: ${isParallel ? 3 : 1} }
gates:
  full:
    - { name: whole, cmd: ${JSON.stringify(gate)} }
agents:
  implementation: { driver: command, command: ${command} }
  test_writing: { driver: command, command: ${command} }
  review: { driver: command, command: ${command} }
`;

type TemplateChoice = {
  /** Shell lines that run first in every agent call, with $task, $RALPH_ROLE and $RALPH_ATTEMPT. */
  onCall: string;
  gate: string;
  /** At most five. */
  taskCount: number;
  /** They are worked on side by side. */
  isParallel: boolean;
  /** Whose files are written too. */
  emit: readonly string[];
  /** More of the environment of `ralph`. */
  env: Readonly<Record<string, string>>;
};

const usual: TemplateChoice = {
  onCall: "",
  gate: "test ! -e src/broken.txt",
  taskCount: 3,
  isParallel: false,
  emit: [],
  env: {},
};

/** The files in `.ralph` are new and not committed. */
export async function createCrashTemplate(
  wanted: Partial<TemplateChoice> = {},
): Promise<CrashTemplate> {
  const choice = { ...usual, ...wanted };
  const project = await createGitProject();
  const { folder } = project;
  const command = join(folder, "agent.sh");
  writeFileSync(command, renderAgent(choice.onCall));
  chmodSync(command, 0o755);
  project.write(".ralph/ralph.yml", config(command, choice));
  project.write(".ralph/prd.json", renderTasks(choice));
  const given = { ...choice, home: join(folder, "home"), child: await bundle("crash-child") };
  return {
    folder,
    copy: (name) => {
      const place = { root: join(folder, name, "project"), stateDir: join(folder, name, "state") };
      cpSync(project.root, place.root, { recursive: true });
      return openProject(place, given);
    },
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}

type Place = { root: string; stateDir: string };
type Given = TemplateChoice & { home: string; child: string };

function openProject(place: Place, given: Given): CrashProject {
  const { root, stateDir } = place;
  mkdirSync(stateDir, { recursive: true });
  const env = {
    PATH: process.env.PATH,
    HOME: given.home,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    RALPH_STATE_DIR: stateDir,
    ...compileCache,
    ...given.env,
  };
  const start = (file: string, args: readonly string[]) =>
    new Promise<Ended>((resolve) => {
      const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024 };
      const started = execFile(file, args, options, (_error, stdout, stderr) =>
        resolve({ code: started.exitCode, output: `${stdout}${stderr}` }),
      );
    });
  return {
    ...place,
    ids: taskList.tasks.slice(0, given.taskCount).map(({ id }) => id),
    isParallel: given.isParallel,
    env,
    ralph: (args, orders = {}) =>
      start(process.execPath, [given.child, JSON.stringify(orders), ...args]),
    git: async (...args) => (await start("git", args)).output.trim(),
    elsewhere: (other) => openProject(other, given),
    [Symbol.dispose]: () => rmSync(dirname(root), { recursive: true, force: true, maxRetries: 3 }),
  };
}
