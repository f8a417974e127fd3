import { expect, test } from "vitest";
import { createProject } from "../support/project.ts";
import { task } from "../support/run.ts";

const one = { tasks: [task("T-001")] };

test("the report of the last session is Markdown on stdout", async () => {
  await using project = await createProject(one);
  const { state } = await project.run();
  const { exitCode, stdout, stderr } = await project.ralph("report", "--markdown");
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^# Session \d{8}-\d{6}-\w+: completed\n/);
  expect((await project.ralph("report", "--session", state.session.session_id)).stdout).toBe(
    stdout,
  );
  expect(JSON.parse((await project.ralph("report", "--json")).stdout)).toMatchObject({
    status: "completed",
    tasks_completed: 1,
  });
});

test("without a session it says what to do", async () => {
  await using project = await createProject(one);
  expect(await project.ralph("report")).toMatchObject({
    exitCode: 2,
    stderr: "Error: There is no session here yet.\nStart one with `ralph run`.\n",
  });
});

test("--html is for later: exit 1", async () => {
  await using project = await createProject(one);
  const { exitCode, stderr } = await project.ralph("report", "--html", "x.html");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("--html is not available yet.");
});
