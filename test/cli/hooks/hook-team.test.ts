import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import type { CommandContext } from "../../../src/cli/core/command.ts";
import { createOutput } from "../../../src/cli/core/output.ts";
import { taskCompleted } from "../../../src/cli/hooks/hook-task-completed.ts";
import { teammateIdle } from "../../../src/cli/hooks/hook-teammate-idle.ts";
import { thorough, times } from "../../setup/sampled.ts";
import { runCommand } from "../../support/project/command.ts";
import { createTestSystem, type TestSystem } from "../../support/project/system.ts";

async function createTeam(files: Record<string, string>) {
  const system = await createTestSystem();
  const project = system.files(system.root);
  await project.makeFolder(".ralph");
  for (const [path, text] of Object.entries(files)) await project.write(path, text);
  const read = async (path: string) => (await project.read(path))?.toString();
  return {
    ...call(system),
    root: system.root,
    read,
    json: async (path: string) => JSON.parse((await read(path)) ?? "null"),
    write: project.write,
    [Symbol.asyncDispose]: () => system[Symbol.asyncDispose](),
  };
}

type Hook = (context: CommandContext, input: string) => Promise<number>;

function call(system: TestSystem) {
  const through = (hook: Hook) => async (input: string | object) => {
    let stderr = "";
    const write = (text: string) => {
      stderr += text;
    };
    const streams = { stdout: { write: () => {} }, stderr: { write } };
    const context: CommandContext = {
      system,
      output: createOutput({}, {}, streams),
      directory: system.root,
      globals: {},
      args: [],
      signal: new AbortController().signal,
    };
    const exitCode = await hook(context, typeof input === "string" ? input : JSON.stringify(input));
    return { exitCode, stderr };
  };
  return { completed: through(taskCompleted), idle: through(teammateIdle) };
}

const mate = { teammate_name: "mate-1", task_subject: "Log in" };
const green = { ".ralph/config.sh": 'GATE_TEST="true"\nGATE_LINT="true"\n' };
const red = {
  ".ralph/config.sh": `GATE_TEST="seq 1 2000; exit 3"\nGATE_LINT="touch ran"\nMAX_CONSECUTIVE_FAILURES=2\n`,
};
const task = (status: string) => `## Status: ${status}\n\n# Task: a\n`;

test("a completion whose gates are green is accepted and counted", async () => {
  await using team = await createTeam(green);
  await team.write("specs/a/step01/a.code-task.md", task("PENDING"));
  expect(await team.completed(mate)).toEqual({ exitCode: 0, stderr: "" });
  expect(await team.json(".ralph/failures.json")).toEqual({
    "mate-1": {
      consecutive_failures: 0,
      last_failure: null,
      total_failures: 0,
      total_successes: 1,
    },
  });
  expect(await team.json(".ralph/metrics.json")).toEqual({
    tasks_completed: 1,
    tasks_failed: 0,
    tasks_pending: 1,
    gates_passed: 2,
    gates_failed: 0,
    last_updated: "2026-01-25T14:30:52.000Z",
  });
});

test("the first gate that fails rejects it, with the end of its output, and opens the breaker in time", async () => {
  await using team = await createTeam(red);
  const { exitCode, stderr } = await team.completed(mate);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Gate 'test' failed for: Log in (exit code 3)");
  expect(stderr).toContain("\n2000\n");
  expect(stderr).not.toContain("\n1700\n");
  expect(stderr).toContain("(mate-1: 1 of 2 failures in a row)");
  expect(await team.read("ran")).toBeUndefined();
  expect((await team.idle(mate)).stderr).not.toContain("breaker");
  expect((await team.completed(mate)).stderr).toContain("2 of 2 failures in a row");
  expect(await team.idle(mate)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(
      "mate-1 has failed 2 times in a row; the circuit breaker is open",
    ),
  });
  await team.write(".ralph/config.sh", 'GATE_TEST="true"\n');
  expect((await team.completed(mate)).exitCode).toBe(0);
  expect((await team.json(".ralph/failures.json"))["mate-1"]).toMatchObject({
    consecutive_failures: 0,
    total_failures: 2,
    total_successes: 1,
  });
});

test("ralph.yml takes precedence over config.sh, and unreadable lines cause warnings", async () => {
  await using team = await createTeam({
    ...red,
    ".ralph/ralph.yml": `version: "1"
task_source: { type: prd_json, path: .ralph/prd.json }
git: { base_branch: main }
gates:
  full:
    - { name: soft, cmd: "false", fatal: false }
    - { name: unit, cmd: "echo unit; false" }
`,
  });
  await team.write(".ralph/config.sh", "GATE_TEST=$(date)\nFOO=1\n");
  const { exitCode, stderr } = await team.completed(mate);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Gate 'unit' failed");
  expect(stderr).toContain("Warning: .ralph/config.sh:1: this line gives GATE_TEST a value");
  expect(stderr).toContain(
    "Warning: .ralph/config.sh:2: this line sets FOO, which is not a setting",
  );
});

test("an unreadable configuration rejects the task: no gate ran", async () => {
  await using team = await createTeam({ ".ralph/ralph.yml": "gates: [" });
  const { exitCode, stderr } = await team.completed(mate);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("No gate ran");
});

test.each([
  ["no project of ralph", {}, mate],
  ["a prototype", { ".ralph/config.sh": 'GATE_TEST="false"\nQUALITY_LEVEL=prototype\n' }, mate],
  [
    "a task without scenarios",
    { ".ralph/config.sh": 'GATE_TEST="false"\n' },
    { ...mate, task_description: "- **Scenario-Strategy**: not-applicable" },
  ],
  ["no JSON", red, "{"],
])("%s is let pass", async (_, files, input) => {
  await using team = await createTeam(files);
  expect((await team.completed(input)).exitCode).toBe(0);
});

test("coverage below the minimum rejects", async () => {
  await using team = await createTeam({
    ".ralph/config.sh": 'GATE_COVERAGE="echo TOTAL 100 15 85%"\nMIN_TEST_COVERAGE=90\n',
  });
  const { exitCode, stderr } = await team.completed(mate);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("(coverage 85 %, required 90 %)");
});

test("broken counters are reported and not changed", async () => {
  await using team = await createTeam({ ...green, ".ralph/failures.json": '{"mate-1": -1}' });
  const { exitCode, stderr } = await team.completed(mate);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(".ralph/failures.json: ");
  expect(await team.read(".ralph/failures.json")).toBe('{"mate-1": -1}');
  expect((await team.idle(mate)).exitCode).toBe(0);
});

const open = { "specs/a/step01/a.code-task.md": task("IN_PROGRESS") };
const successes = (n: number) => ({
  ".ralph/metrics.json": JSON.stringify({ per_teammate: { "mate-1": { completed: n } } }),
});

test.each([
  ["tasks are left", { ...green, ...open }, 2, "1 tasks are open"],
  ["no task is open", green, 0, "no task is open"],
  ["the team is aborted", { ...green, ...open, ".ralph/ABORT": "" }, 0, ".ralph/ABORT is there"],
  ["it has done its share", { ...green, ...open, ...successes(20) }, 0, "completed 20 of 20 tasks"],
  [
    "rotation is off",
    { ".ralph/config.sh": "MAX_TASKS_PER_TEAMMATE=0\n", ...open, ...successes(99) },
    2,
    "1 tasks are open",
  ],
  [
    "abort comes before the breaker",
    { ...green, ".ralph/ABORT": "", ".ralph/failures.json": '{"mate-1": 9}' },
    0,
    ".ralph/ABORT is there",
  ],
  [
    "the breaker comes before rotation",
    { ...green, ...successes(99), ".ralph/failures.json": '{"mate-1": 3}' },
    0,
    "the circuit breaker is open",
  ],
  ["there is no team", {}, 0, ""],
  ["a setting is wrong", { ".ralph/ralph.yml": "gates: [" }, 2, "ralph.yml"],
] as const)("a teammate that has nothing to do while %s", async (_, files, exitCode, message) => {
  await using team = await createTeam(files);
  expect(await team.idle(mate)).toEqual({ exitCode, stderr: expect.stringContaining(message) });
});

test("the next teammate finds a handoff note, and an existing note stays", async () => {
  await using team = await createTeam({ ...green, ...open, ...successes(20) });
  await team.idle({ teammate_name: "../mate 1" });
  await team.idle(mate);
  const path = ".ralph/handoff-mate-1.md";
  expect(await team.read(path)).toContain("- specs/a/step01/a.code-task.md\n");
  await team.write(path, "mine");
  await team.idle(mate);
  expect(await team.read(path)).toBe("mine");
});

/** `ralph hook`, as Claude Code starts it. */
function runHook(hook: string, cwd: string) {
  const input = JSON.stringify({ ...mate, cwd });
  return runCommand({ cwd, env: { PATH: process.env.PATH }, input }, ["hook", hook]);
}

thorough(
  "teammates that complete tasks at the same time are all counted, from the first one on",
  async () => {
    await using team = await createTeam(green);
    const count = times(3, 6);
    const calls = Array.from({ length: count }, () => runHook("task-completed", team.root));
    for (const { exitCode } of await Promise.all(calls)) expect(exitCode).toBe(0);
    expect((await team.json(".ralph/failures.json"))["mate-1"].total_successes).toBe(count);
    expect(await team.json(".ralph/metrics.json")).toMatchObject({
      tasks_completed: count,
      gates_passed: 2 * count,
    });
  },
);

test("Claude Code reaches both hooks through its standard input", async () => {
  await using team = await createTeam({ ...red, ...open });
  expect(await runHook("task-completed", team.root)).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringContaining("Gate 'test' failed for: Log in"),
  });
  expect(await runHook("teammate-idle", team.root)).toMatchObject({ exitCode: 2, stdout: "" });
  expect(existsSync(`${team.root}/.ralph/failures.json`)).toBe(true);
});

test.each(["constructor", "toString", "prototype", "__proto__"])(
  "a teammate named %s is counted under a name that every reader takes",
  async (teammate_name) => {
    await using team = await createTeam(green);
    await team.completed({ ...mate, teammate_name });
    await team.completed({ ...mate, teammate_name });
    const [record] = Object.values(await team.json(".ralph/failures.json"));
    expect(record).toMatchObject({ consecutive_failures: 0, total_successes: 2 });
    expect(await team.idle({ teammate_name })).toMatchObject({ stderr: "no task is open\n" });
  },
);
