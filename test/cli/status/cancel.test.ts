import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { endOf, runCommand, startCommand } from "../../support/project/command.ts";
import { createProject, type Project } from "../../support/project/project.ts";

const one = { tasks: [task("T-001")] };
const placeOf = ({ root, system }: Project) => ({ cwd: root, env: system.env });

test("nothing running: it says so", async () => {
  await using project = await createProject(one);
  expect(await project.ralph("cancel")).toMatchObject({
    exitCode: 0,
    stdout: "No session is running.\n",
  });
});

test("the running session ends in good order, and its outcome is shown", async () => {
  const agent = "touch ../started; exec sleep 60";
  await using project = await createProject({ ...one, agent });
  const session = endOf(await startCommand(placeOf(project), ["run"]));
  const isStarted = () => existsSync(join(project.folder, "started"));
  await expect.poll(isStarted).toBe(true);
  const other = await project.ralph("cancel", "--session", "20260101-000000-aaaaaa");
  expect(other.stdout).toMatch(/^Session 20260101-000000-aaaaaa is not running; \S+ is\.$/m);
  const cancelled = await runCommand(placeOf(project), ["cancel"]);
  expect(cancelled.exitCode).toBe(0);
  expect(cancelled.stdout).toMatch(
    /has ended: aborted - Cancelled\.\n0\/1 tasks passed\. Continue with/,
  );
  expect((await session).exitCode).toBe(7);
});

test("a session on another machine is out of reach: exit 24 with its name", async () => {
  await using project = await createProject(one);
  await project.run();
  const [store = ""] = readdirSync(project.stateDir);
  mkdirSync(join(project.stateDir, store), { recursive: true });
  const owner = {
    session_id: "s",
    started_at: "2026-01-25",
    host: "build-7",
    pid: 1,
    pid_start: null,
  };
  writeFileSync(join(project.stateDir, store, "lock"), JSON.stringify(owner));
  const { exitCode, stderr } = await project.ralph("cancel");
  expect(exitCode).toBe(24);
  expect(stderr).toMatch(/build-7.*another machine\.\nRun `ralph cancel` on build-7\./);
});

/** A state of a mode of OMX in one scope. */
const mode = (more: object = {}) =>
  JSON.stringify({
    ...{ active: true, iteration: 1, max_iterations: 5, current_phase: "executing" },
    ...{ started_at: new Date().toISOString(), ...more },
  });

test("the modes of another tool's run are named once; files of a session that died are settled too", async () => {
  await using project = await createProject({
    ...one,
    agent: "kill -9 $PPID",
    config: { compat: { emit: ["omx"] } },
  });
  expect((await runCommand(placeOf(project), ["run"])).exitCode).toBe(-1);
  const [died = ""] = readdirSync(join(project.root, ".omx/state/sessions"));
  const folder = ".omx/state/sessions/theirs";
  project.write(`${folder}/ralph-state.json`, mode({ linked_ultrawork: true }));
  project.write(`${folder}/ultrawork-state.json`, mode());
  project.write(".omx/state/session.json", JSON.stringify({ session_id: "theirs" }));
  const { exitCode, stdout } = await project.ralph("cancel");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/tools: omx theirs \((?:ralph, ultrawork|ultrawork, ralph)\)\./);
  expect(stdout).toContain(`its end: .omx/state/sessions/${died}/ralph-state.json`);
  const state = JSON.parse(project.read(`.omx/state/sessions/${died}/ralph-state.json`));
  expect(state).toMatchObject({ active: false, stop_reason: "interrupted" });
});
