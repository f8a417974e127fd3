import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject, type ProjectOptions } from "../../support/project/project.ts";

const one = { tasks: [task("T-001")] };
const rejecting = { ...one, agent: { review: "signal review-rejected" } };

async function say(options: ProjectOptions, { run = false } = {}): Promise<string> {
  await using project = await createProject(options);
  if (run) await project.run();
  const { exitCode, stdout } = await project.ralph();
  expect(exitCode).toBe(0);
  return stdout;
}

test("open tasks: ralph run", async () => {
  expect(
    await say({ tasks: [task("T-001"), task("T-002", { passes: true })] }),
  ).toMatchInlineSnapshot(`
    "Example: 1 of 2 tasks still open.

    Next step:
      ralph run

    Help: ralph --help, ralph <command> --help
    "
  `);
});

test("all passed: publish", async () => {
  expect(await say(one, { run: true })).toMatch(
    /all 1 task passed\.\n\nNext step:\n {2}ralph publish\nIt pushes ralph\/example and opens/,
  );
});

test("an unfinished session: why, and how to continue", async () => {
  expect(await say(rejecting, { run: true })).toMatch(
    /^Session \S+ is unfinished: Failed: T-001\.\n\n.*`ralph run --resume`/,
  );
});

test("no tasks: add one", async () => {
  expect(await say({ tasks: [] })).toMatch(/prd\.json has no tasks\.\nAdd one with id/);
});

test("a broken file shows its problem", async () => {
  expect(await say({ config: { version: 2 } })).toMatch(/ralph\.yml:\d+:\d+: version/);
});

test("no files: ralph init", async () => {
  await using project = await createProject(one);
  rmSync(join(project.root, ".ralph"), { recursive: true });
  const { exitCode, stdout } = await project.ralph();
  expect(exitCode).toBe(0);
  expect(stdout).toContain(".ralph/ralph.yml and .ralph/prd.json are missing.");
  expect(stdout).toContain("Next step:\n  ralph init");
  project.write(".ralph/prd.json", "{}");
  expect((await project.ralph()).stdout).toContain(" .ralph/ralph.yml is missing.");
});

test("no repository: make one", async () => {
  await using project = await createProject(one);
  rmSync(join(project.root, ".git"), { recursive: true });
  expect((await project.ralph()).stdout).toMatch(/is not in a git repository\.\nRun `git init`/);
});

test("for programs the situation is one object", async () => {
  await using project = await createProject(one);
  expect(JSON.parse((await project.ralph("--json")).stdout)).toEqual({
    kind: "open",
    project: "Example",
    open: 1,
    total: 1,
  });
});

test.each([
  ["statsu", "Did you mean `ralph status`?"],
  ["frobnicate", "There are: init, scan, run, verify, autopilot, status,"],
])("%s is no command, and near ones are named", async (word, remedy) => {
  await using project = await createProject(one);
  const { exitCode, stderr } = await project.ralph(word);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(remedy);
});
