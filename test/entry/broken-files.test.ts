import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRalphState } from "../../src/omc/index.ts";
import { thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import {
  createProject,
  type Project,
  type ProjectOptions,
  sessionFolders,
} from "../support/project/project.ts";

const tasks = [task("T-001")];
const emitting = {
  tasks,
  config: { compat: { emit: ["omx", "omc", "claude-ralph", "agent-teams"] } },
};

/** With files that git ignores, as those of other tools are. */
async function createWith(files: Record<string, string | Buffer>, options?: ProjectOptions) {
  const project = await createProject({ ...emitting, ...options });
  for (const path of Object.keys(files)) {
    appendFileSync(join(project.root, ".git/info/exclude"), `/${path}\n`);
  }
  for (const [path, content] of Object.entries(files)) put(project, path, content);
  return project;
}

function put({ root }: Project, path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

describe("broken files of other tools", () => {
  test("are reported all at once, before a task starts", async () => {
    await using project = await createWith({
      ".omc/ralph-state.json": "{",
      ".ralph/failures.json": '{"a": {"consecutive_failures": -1}}',
      ".claude/ralph/agent-state-agent-1.json": "",
    });
    const { exitCode, stderr } = await project.ralph("run");
    expect(exitCode).toBe(2);
    expect(stderr).toContain(".omc/ralph-state.json:1:2: ends too early");
    expect(stderr).toContain(".ralph/failures.json:1:8: a.consecutive_failures must be at least 0");
    expect(stderr).toContain(".claude/ralph/agent-state-agent-1.json:1:1: is empty");
    expect(project.read(".omc/ralph-state.json")).toBe("{");
  });

  thorough("leave no session behind: the next run says nothing of one that stopped", async () => {
    await using project = await createWith({ ".omc/ralph-state.json": "{" });
    expect((await project.ralph("run")).exitCode).toBe(2);
    expect(sessionFolders(project.stateDir)).toEqual([]);
    put(project, ".omc/ralph-state.json", '{"active": false}');
    const { exitCode, facts } = await project.run();
    expect(exitCode).toBe(0);
    const warnings = facts("warning").map(({ message }) => message);
    expect(warnings.filter((text) => text.includes("stopped before"))).toEqual([]);
  });

  test("are left alone if they are binary", async () => {
    const latin = Buffer.from('{"a": {"last_failure": "caf\xe9"}}', "latin1");
    await using project = await createWith({ ".ralph/failures.json": latin });
    const { exitCode, stderr } = await project.ralph("run");
    expect(exitCode).toBe(2);
    expect(stderr).toContain(".ralph/failures.json:1:28: is not UTF-8");
    expect(execFileSync("cat", [join(project.root, ".ralph/failures.json")])).toEqual(latin);
  });

  test.each([
    ["a folder", (path: string) => mkdirSync(path, { recursive: true }), /is a folder/],
    ["a pipe", (path: string) => execFileSync("mkfifo", [path]), /is a named pipe/],
    ["a link", (path: string) => symlinkSync("/dev/null", path), /symbolic link/],
  ])("may be %s", async (_, make, message) => {
    await using project = await createWith({ ".omc/.keep": "" });
    appendFileSync(join(project.root, ".git/info/exclude"), "/.omc\n");
    make(join(project.root, ".omc/ralph-state.json"));
    const { exitCode, stderr } = await project.ralph("run");
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test("may be a file in place of a folder", async () => {
    await using project = await createWith({ ".omx": "" });
    const { exitCode, stderr } = await project.ralph("run");
    expect(exitCode).toBe(2);
    expect(stderr).toContain(".omx: is not a folder");
  });

  test("are a warning if the run does not write them", async () => {
    await using project = await createWith({ ".claude/ralph/task-queue-other.json": "[" });
    const { exitCode, state } = await project.run();
    expect(exitCode).toBe(0);
    expect(state.warnings).toEqual([expect.stringContaining("task-queue-other.json:1:2: ends")]);
    expect(project.read(".claude/ralph/task-queue-other.json")).toBe("[");
  });

  test("may be empty if a launch creates them so", async () => {
    await using project = await createWith({
      ".ralph/failures.json": "",
      ".ralph/metrics.json": "\n",
    });
    expect((await project.run()).exitCode).toBe(0);
    expect((await project.ralph("validate")).exitCode).toBe(0);
    expect(JSON.parse(project.read(".ralph/metrics.json"))).toMatchObject({ tasks_completed: 1 });
  });
});

test("a run does not start if git tracks the state files, which would look like an agent's work", async () => {
  const state = JSON.stringify({ ...createRalphState("old", "p"), active: false });
  await using project = await createProject({
    ...emitting,
    files: { ".omc/ralph-state.json": state },
  });
  const { exitCode, stderr } = await project.ralph("run");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("git rm --cached -- .omc/ralph-state.json");
  expect(project.read(".omc/ralph-state.json")).toBe(state);
  project.git("rm", "-q", "--cached", ".omc/ralph-state.json");
  project.git("commit", "-qm", "untracked");
  expect((await project.run()).exitCode).toBe(0);
});

test("a folder that an agent replaces costs no task its proof: remarks appear until it is back", async () => {
  await using project = await createProject({
    ...emitting,
    agent: { implementation: "rm -rf .omc && ln -s / .omc; honest" },
  });
  appendFileSync(join(project.root, ".git/info/exclude"), "/.omc\n");
  const { exitCode, state } = await project.run();
  expect(exitCode).toBe(0);
  expect(state.warnings).toEqual([
    expect.stringMatching(/^The files of omc are out of date; .*symbolic link/),
    expect.stringMatching(
      /^The files of omc do not show the end of this session\. .*symbolic link/,
    ),
  ]);
});

test.each([".claude", ".omx", ".omc"])(
  "a project with a link in place of %s works as if it did not use the tool",
  async (folder) => {
    await using project = await createProject({ tasks });
    appendFileSync(join(project.root, ".git/info/exclude"), `/${folder}\n`);
    symlinkSync("/tmp", join(project.root, folder));
    for (const command of ["validate", "status", "cancel", "run"]) {
      expect((await project.ralph(command)).exitCode, command).toBe(0);
    }
    rmSync(join(project.root, folder));
  },
);

test("a cancelled team is named, and its task waits again", async () => {
  await using project = await createProject({
    ...emitting,
    files: {
      ".ralph/specs/a/implementation/step01/x.code-task.md": "## Status: IN_PROGRESS\n# X\n",
    },
  });
  expect((await project.ralph("run")).exitCode).toBe(24);
  const { exitCode, stdout } = await project.ralph("cancel");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("Cancelled in the files of their tools: agent-teams");
  expect(project.read(".ralph/specs/a/implementation/step01/x.code-task.md")).toContain("PENDING");
  expect((await project.ralph("cancel")).stdout).toContain("No session is running");
});

test("the name of another tool's run is shown as one plain line", async () => {
  const state = { ...createRalphState("\u001b[31mred\nnext", "p"), iteration: 1 };
  await using project = await createWith({ ".omc/ralph-state.json": JSON.stringify(state) });
  const told = [await project.ralph("status"), await project.ralph("run")];
  for (const { stdout, stderr } of told) expect(stdout + stderr).toMatch(/red next/);
  for (const { stdout, stderr } of told) expect(stdout + stderr).not.toContain("\u001b[31m");
  const { stdout } = await project.ralph("cancel", "--session", "red next");
  expect(stdout).toContain("omc red next");
});

test("the folder of a team and the text of its files are escaped for a terminal", async () => {
  const folder = "specs/a\u001b[31m";
  await using project = await createProject(emitting);
  appendFileSync(join(project.root, ".git/info/exclude"), "/specs\n");
  put(project, `${folder}/x.code-task.md`, "## Status: IN_PROGRESS\n# X\n");
  put(project, `${folder}/y.code-task.md`, "## Status: \u001b[31mNO\n# Y\n");
  const told = [await project.ralph("status"), await project.ralph("run")];
  for (const { stdout, stderr } of told) expect(stdout + stderr).not.toContain("\u001b");
  expect(told[0]?.stdout).toContain("1 task: 1 in progress (specs/a\\u{1b}[31m)");
});

test("validate and migrate report the faults of a list of stories with their lines", async () => {
  const stories = '{"userStories": [\n  {"id": "US-001", "title": 5}\n]}';
  await using project = await createWith({ ".omc/prd.json": stories });
  for (const args of [["validate"], ["migrate", "--from", "omc", "--force"]]) {
    const { exitCode, stderr } = await project.ralph(...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(".omc/prd.json:2:20: userStories[0].title must be text");
  }
});
