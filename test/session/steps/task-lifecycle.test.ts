import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

/** Two tasks; the program of `role` fails in its first call, which ends the session. */
const stopsIn = (role: "test_writing" | "review" | "implementation") =>
  createProject({
    tasks: [task("T-001")],
    agent: { [role]: `test "$attempt" = 1 && exit 9; honest` },
    config: { breaker: { max_consecutive_failures: 1 } },
  });

const roles = (facts: readonly { role: string }[]) => facts.map(({ role }) => role);

test("a finished implementation survives a stop during test writing: the implementer is not called again", async () => {
  await using project = await stopsIn("test_writing");
  const stopped = await project.run();
  expect(stopped.exitCode).not.toBe(0);
  const { exitCode, facts, stdout } = await project.run("--resume");
  expect(exitCode).toBe(0);
  expect(roles(facts("agent_start"))).toEqual([
    "implementation",
    "test_writing",
    "test_writing",
    "review",
  ]);
  expect(facts("task_start").at(-1)?.resumed).toBe(facts("agent_end")[0]?.tree);
  expect(project.git("show", "HEAD:src/T-001.txt")).toBe("attempt 1");
  expect(stdout).toMatch(/test_writing started, iteration \d/);
});

test("finished tests survive a stop during the review", async () => {
  await using project = await stopsIn("review");
  await project.run();
  const { exitCode, facts } = await project.run("--resume");
  expect(exitCode).toBe(0);
  expect(roles(facts("agent_start")).slice(3)).toEqual(["review"]);
});

test("an implementation that had not finished starts again from the head", async () => {
  await using project = await stopsIn("implementation");
  await project.run();
  const { exitCode, facts } = await project.run("--resume");
  expect(exitCode).toBe(0);
  expect(facts("task_start").at(-1)).not.toHaveProperty("resumed");
});
