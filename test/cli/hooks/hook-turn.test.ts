import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough, times } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { runCommand } from "../../support/project/command.ts";
import { createProject, type Project } from "../../support/project/project.ts";

const one = { tasks: [task("T-001")] };
const atWork = {
  active: true,
  iteration: 3,
  max_iterations: 50,
  current_phase: "executing",
  started_at: "2026-01-25T14:30:52Z",
};
const root = ".omx/state/ralph-state.json";
const of = (session: string) => `.omx/state/sessions/${session}/ralph-state.json`;
const pointer = ".omx/state/session.json";

function write(project: Project, files: Record<string, object>): void {
  for (const [path, value] of Object.entries(files)) project.write(path, JSON.stringify(value));
}
const read = (project: Project, path: string) => JSON.parse(project.read(path));

test("a turn is counted in the root scope where there is no session", async () => {
  await using project = await createProject(one);
  write(project, { [root]: { mode: "ralph", ...atWork, current_phase: "verify" } });
  const event = '{"type":"agent-turn-complete","turn-id":"5"}';
  expect(await project.ralph("hook", "turn", event)).toEqual({
    exitCode: 0,
    stdout: "ralph: iteration 4 of 50\n",
    stderr: "",
  });
  expect(read(project, root)).toEqual({
    mode: "ralph",
    ...atWork,
    iteration: 4,
    current_phase: "verifying",
    ralph_phase_normalized_from: "verify",
    last_turn_at: expect.stringMatching(/^20.+Z$/),
  });
});

test("at the maximum the run has failed: it has not completed anything", async () => {
  await using project = await createProject(one);
  write(project, { [root]: { ...atWork, iteration: 49 } });
  const { stdout } = await project.ralph("hook", "turn", "--json");
  expect(JSON.parse(stdout)).toEqual({
    counted: [{ mode: "ralph", path: root, iteration: 50, max_iterations: 50, active: false }],
  });
  const state = read(project, root);
  expect(state).toMatchObject({
    active: false,
    iteration: 50,
    current_phase: "failed",
    stop_reason: "max_iterations_reached",
  });
  expect(state.completed_at).toBe(state.last_turn_at);
  const before = project.read(root);
  expect((await project.ralph("hook", "turn")).stdout).toBe("");
  expect(project.read(root)).toBe(before);
});

const alive = { pid: process.pid };
const files = { [root]: atWork, [of("s1")]: atWork, [of("s2")]: atWork };
test.each<[string, object | undefined, string[], string]>([
  ["the current session", { session_id: "s1", ...alive }, [], of("s1")],
  ["a session that does not say who it is", { session_id: "s1" }, [], of("s1")],
  ["the root where the session has no file", { session_id: "s3", ...alive }, [], root],
  ["the root where the session's process is gone", { session_id: "s1", pid: 4_194_303 }, [], root],
  ["the named session", { session_id: "s1", ...alive }, ["--session", "s2"], of("s2")],
])("only one scope is counted: %s", async (_, session, args, path) => {
  await using project = await createProject(one);
  write(project, { ...files, ...(session && { [pointer]: session }) });
  expect((await project.ralph("hook", "turn", ...args)).exitCode).toBe(0);
  for (const each of Object.keys(files)) {
    expect(read(project, each).iteration, each).toBe(each === path ? 4 : 3);
  }
});

test("a session of ralph itself counts its own, and an event that is no turn counts nothing", async () => {
  await using project = await createProject(one);
  const id = "20260125-143052-a7b3c9";
  write(project, { [pointer]: { session_id: id, ...alive }, [of(id)]: atWork, [root]: atWork });
  const before = [project.read(of(id)), project.read(root)];
  expect(await project.ralph("hook", "turn")).toMatchObject({ exitCode: 0, stdout: "" });
  expect((await project.ralph("hook", "turn", "--session", id)).stdout).toBe("");
  write(project, { [pointer]: { session_id: "s9", ...alive } });
  expect((await project.ralph("hook", "turn", '{"type":"approval-requested"}')).exitCode).toBe(0);
  expect([project.read(of(id)), project.read(root)]).toEqual(before);
});

test("a broken state file is reported and not changed, and no other scope replaces it (exit 2)", async () => {
  await using project = await createProject(one);
  write(project, {
    [pointer]: { session_id: "s1", ...alive },
    [of("s1")]: { ...atWork, current_phase: "canceled" },
    [root]: atWork,
  });
  const before = [project.read(of("s1")), project.read(root)];
  const { exitCode, stderr } = await project.ralph("hook", "turn");
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${of("s1")}:1:50: current_phase must be one of starting, executing`);
  expect([project.read(of("s1")), project.read(root)]).toEqual(before);
});

test.each([
  [pointer, { session_id: "../../x" }, 2, "session_id must be 1 to 64 of"],
  [root, { active: "yes" }, 2, "active must be true or false, not text"],
])("a broken %s stops the hook", async (path, value, exit, message) => {
  await using project = await createProject(one);
  write(project, { [path]: value });
  const { exitCode, stderr } = await project.ralph("hook", "turn");
  expect(exitCode).toBe(exit);
  expect(stderr).toContain(message);
});

test.each([
  [["{"], "The event is not a JSON object."],
  [["[]"], "The event is not a JSON object."],
  [["--session", "../x"], '"../x" is not a session id.'],
])("%j is a mistake of the caller: exit 1", async (args, message) => {
  await using project = await createProject(one);
  const { exitCode, stderr } = await project.ralph("hook", "turn", ...args);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(message);
});

test("the project is found from the folder the event names", async () => {
  await using project = await createProject(one);
  write(project, { [root]: atWork });
  const event = JSON.stringify({ cwd: join(project.root, ".ralph") });
  await project.ralphIn("/", "hook", "turn", event);
  expect(read(project, root).iteration).toBe(4);
});

test("where there is nothing to count, nothing is written", async () => {
  await using project = await createProject(one);
  expect(await project.ralph("hook", "turn")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  expect(existsSync(join(project.root, ".omx"))).toBe(false);
});

thorough("turns that end at the same time are all counted", async () => {
  await using project = await createProject(one);
  write(project, { [root]: { ...atWork, iteration: 0 } });
  const place = { cwd: project.root, env: project.system.env };
  const count = times(3, 6);
  const ended = await Promise.all(
    Array.from({ length: count }, () => runCommand(place, ["hook", "turn"])),
  );
  expect(ended.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(
    Array(count).fill([0, ""]),
  );
  expect(read(project, root).iteration).toBe(count);
});
