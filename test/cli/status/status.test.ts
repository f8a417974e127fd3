import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { endOf, runCommand, startCommand } from "../../support/project/command.ts";
import { createProject, type Project } from "../../support/project/project.ts";

const one = { tasks: [task("T-001")] };
/** Says that it has begun, and works until it may go on. */
const patient = "touch ../started; while [ ! -e ../go ]; do sleep 0.05; done; honest";
const hasStarted = ({ folder }: Project) =>
  expect.poll(() => existsSync(join(folder, "started"))).toBe(true);
const placeOf = ({ root, system }: Project) => ({ cwd: root, env: system.env });

test("before the first session it says what to do", async () => {
  await using project = await createProject(one);
  expect(await project.ralph("status")).toEqual({
    exitCode: 0,
    stdout: "No session yet. Start one with `ralph run`.\n",
    stderr: "",
  });
  expect((await project.ralph("status", "--line")).stdout).toBe("ralph: no session\n");
  expect(JSON.parse((await project.ralph("status", "--json")).stdout)).toEqual({
    liveness: "none",
    others: [],
    broken: [],
  });
});

test("after a session it shows the end, as text, line, timeline and JSON", async () => {
  await using project = await createProject(one);
  const { state } = await project.run();
  const id = state.session.session_id;
  const { stdout } = await project.ralph("status");
  expect(stdout).toContain(`Session  ${id} on ralph/example: completed - `);
  expect(stdout).toMatch(/^T-001 {2}passed/m);
  expect((await project.ralph("status", "--line")).stdout).toBe("ralph 1/1 completed\n");
  const timeline = (await project.ralph("status", "--timeline")).stdout.trimEnd().split("\n");
  expect(timeline.at(0)).toMatch(/^· \d\d:\d\d:\d\d session /);
  expect(timeline.filter((line) => line.includes("T-001 passed as"))).toHaveLength(1);
  const json = JSON.parse((await project.ralph("status", "--json", "--timeline")).stdout);
  expect(json).toMatchObject({ session_id: id, liveness: "ended", phase: "complete" });
  expect(json.events).toHaveLength(state.seq);
});

test("an older session is shown by its id, and an unknown id lists the sessions", async () => {
  await using project = await createProject(one);
  const { state } = await project.run();
  await project.system.clock.sleep(1000);
  await project.run();
  const id = state.session.session_id;
  expect((await project.ralph("status", "--session", id)).stdout).toContain(id);
  const unknown = await project.ralph("status", "--session", "../x");
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(id) });
});

thorough(
  "a running session is watched to its end, and shown again only when something happened",
  async () => {
    await using project = await createProject({ ...one, agent: patient });
    const session = endOf(await startCommand(placeOf(project), ["run"]));
    await hasStarted(project);
    const { stdout } = await project.ralph("status");
    expect(stdout).toMatch(
      /: executing\nNow {6}executing: implementation of T-001, iteration 1, since /,
    );
    const watching = endOf(
      await startCommand(placeOf(project), ["status", "--watch", "--timeline"]),
    );
    project.write("../go", "");
    expect((await session).exitCode).toBe(0);
    const watched = await watching;
    expect(watched.exitCode).toBe(0);
    const shown = (await project.ralph("status", "--timeline")).stdout;
    expect(watched.stdout).toBe(shown);
  },
);

test("Ctrl-C ends watching with 0 and leaves the session alone; a killed session is shown as interrupted", async () => {
  await using project = await createProject({ ...one, agent: patient });
  const session = await startCommand(placeOf(project), ["run"]);
  const ended = endOf(session);
  await hasStarted(project);
  const watching = await startCommand(placeOf(project), ["status", "--watch", "--line"]);
  const watched = endOf(watching);
  watching.stdout?.once("data", () => watching.kill("SIGINT"));
  expect(await watched).toMatchObject({
    exitCode: 0,
    stdout: "ralph 0/1 T-001 implementation\n",
  });
  session.kill("SIGKILL");
  await ended;
  const after = await runCommand(placeOf(project), ["status", "--watch"]);
  expect(after.exitCode).toBe(0);
  expect(after.stdout).toContain("interrupted: its process died");
  expect(after.stdout).toContain("ralph run --resume");
  project.write("../go", "");
});
