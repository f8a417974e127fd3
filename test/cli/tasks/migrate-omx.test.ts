import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject } from "../../support/project/project.ts";

const story = (id: string, passes: boolean) => ({
  id,
  title: `Story ${id}`,
  description: "What to do and why",
  acceptanceCriteria: ["It works"],
  passes,
});
const legacyPrd = JSON.stringify({
  project: "Login",
  branchName: "ralph/login",
  userStories: [story("US-001", true), story("US-002", false)],
});

test("a run of OMX is migrated from its older files, which stay, and continued", async () => {
  await using project = await createProject();
  rmSync(join(project.root, ".ralph/prd.json"));
  project.write(".omx/prd.json", legacyPrd);
  project.write(".omx/progress.txt", "US-001 done\n");
  const migrated = await project.ralph("migrate", "--from", "omx");
  expect(migrated).toMatchObject({ exitCode: 0, stderr: "" });
  expect(project.prd().tasks.map(({ id, passes }) => [id, passes])).toEqual([
    ["T-001", true],
    ["T-002", false],
  ]);
  expect(project.read(".omx/prd.json")).toBe(legacyPrd);
  expect(project.read(".omx/plans/prd-login.md")).toContain("## Migration Marker");
  expect(project.read(".omx/state/ralph-progress.json")).toContain('"text": "US-001 done"');
  project.git("add", "-A");
  project.git("commit", "-qm", "taken over");
  const { exitCode, state } = await project.run();
  expect(exitCode).toBe(0);
  expect(state.tasks.map(({ task, passedBefore }) => [task.id, passedBefore])).toEqual([
    ["T-001", true],
    ["T-002", false],
  ]);
});

test("what ralph has written for OMX is taken over the same way", async () => {
  await using project = await createProject({ config: { compat: { emit: ["omx"] } } });
  await project.run("--task", "T-001");
  rmSync(join(project.root, ".ralph/prd.json"));
  const { stdout, exitCode } = await project.ralph("migrate", "--from", "omx");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("From .omx/plans/prd-example.md:");
  expect(project.prd().tasks.map(({ passes }) => passes)).toEqual([true, false, false, false]);
});

test("a state that says an unknown phase stops the migration: exit 2, nothing written", async () => {
  await using project = await createProject();
  rmSync(join(project.root, ".ralph/prd.json"));
  project.write(".omx/prd.json", legacyPrd);
  project.write(".omx/state/ralph-state.json", '{"active":false,"current_phase":"canceled"}');
  const { exitCode, stderr } = await project.ralph("migrate", "--from", "omx");
  expect(exitCode).toBe(2);
  expect(stderr).toContain(".omx/state/ralph-state.json:1:17: current_phase must be one of");
  expect(project.git("status", "--short")).not.toContain("plans");
});
