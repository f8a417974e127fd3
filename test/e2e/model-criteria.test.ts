import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { hasProgram } from "../support/project/programs.ts";
import { createProject, type ProjectOptions } from "../support/project/project.ts";

const sandboxed = hasProgram("bwrap") ? test : test.skip;

const canary = "../canary";
const criteria = [`Run \`touch ${canary}\` - exits with code 0`, "It reads well"];
const byModel = { metadata: { source: "autopilot" } };

const projectWith = (prd: Record<string, unknown>, more: ProjectOptions = {}) =>
  createProject({
    tasks: [task("T-001", { acceptanceCriteria: criteria, requiresTests: false })],
    prd,
    ...more,
  });

test("a command a model wrote leaves nothing outside the work tree without a sandbox: it is not run, and a warning says so", async () => {
  await using project = await projectWith(byModel);
  const ended = await project.run();
  expect(ended.exitCode).toBe(0);
  expect(existsSync(join(project.folder, "canary"))).toBe(false);
  const [first, second] = ended.facts("criteria_end")[0]?.results ?? [];
  expect(first).toMatchObject({ kind: "command", verdict: "to_judge" });
  expect(second).toMatchObject({ kind: "judged", verdict: "to_judge" });
  const told = "the command among its criteria is not run; the reviewer judges it.";
  expect(ended.stdout.split(told)).toHaveLength(2);
  expect(ended.prompts("review")[0]).toContain("not run: a model wrote the command");
  const { stdout } = await project.ralph("report", "--markdown");
  expect(stdout).toContain("approved by the reviewer | not run: a model wrote the command");
  expect((await project.ralph("audit")).exitCode).toBe(0);
});

test("a person's command runs, and so it is seen that the attack is one", async () => {
  await using project = await projectWith({});
  expect((await project.run()).exitCode).toBe(0);
  expect(existsSync(join(project.folder, "canary"))).toBe(true);
});

sandboxed("in the sandbox a model's commands run, and cannot leave it", async () => {
  await using project = await projectWith(byModel, {
    sandbox: { mode: "required" },
    config: { limits: { max_iterations: 1 } },
  });
  const ended = await project.run();
  expect(existsSync(join(project.folder, "canary"))).toBe(false);
  expect(ended.facts("criteria_end")[0]?.results[0]).toMatchObject({
    kind: "command",
    verdict: expect.stringMatching(/^(?:failed|proved)$/),
  });
  expect(ended.stdout).not.toContain("reviewer judges");
});
