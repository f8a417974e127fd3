import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

const withCriteria = (...acceptanceCriteria: string[]) => [task("T-001", { acceptanceCriteria })];

test("a task that is already satisfied, and provably so, passes without a change", async () => {
  const tasks = withCriteria("Run `test -s a.txt` exits with 0", "File `a.txt` contains `a`");
  await using project = await createProject({ tasks, agent: "claim" });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("task_passed")).toMatchObject([{ already_satisfied: true, files: [] }]);
  expect(facts("agent_start").map(({ role }) => role)).toEqual(["implementation", "review"]);
  expect(project.prd().tasks[0]?.passes).toBe(true);
});

test("it does not pass without a change when one criterion is a matter of judgement", async () => {
  const tasks = withCriteria("Run `test -s a.txt` exits with 0", "It reads well");
  await using project = await createProject({ tasks, agent: "claim" });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("iteration_failed")[0]?.because).toBe("no_change");
  expect(facts("gate_end")).toEqual([]);
});

test("a file that was there before proves nothing about the work: the reviewer judges", async () => {
  await using project = await createProject({ tasks: withCriteria("File `a.txt` exists") });
  const { facts, prompts } = await project.run();
  expect(facts("criteria_end")[0]?.results).toMatchObject([{ verdict: "held" }]);
  expect(prompts("review")[0]).toContain("held before the task began");
});

test("evidence shows the output of a command, and its changes to the work tree are undone", async () => {
  const tasks = withCriteria("Run `echo measured; echo x >>a.txt; echo x >left.txt` exits with 0");
  await using project = await createProject({ tasks });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  const [result] = facts("criteria_end")[0]?.results ?? [];
  expect(result?.verdict).toBe("proved");
  expect(project.evidence(result?.evidence)).toContain("measured");
  expect(project.git("show", "HEAD:a.txt")).toBe("a");
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a failure is reported to the next implementation", async () => {
  const tasks = withCriteria("Run `grep -q 'attempt 2' src/T-001.txt` exits with 0");
  await using project = await createProject({ tasks });
  const { exitCode, prompts } = await project.run();
  expect(exitCode).toBe(0);
  expect(prompts("implementation")[1]).toContain("These acceptance criteria do not hold:\n1. Run");
});

test("a command that cannot be started is run once, and ends its task with what to correct", async () => {
  const tasks = withCriteria("Run `no-such-program` exits with 0");
  await using project = await createProject({ tasks });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("criteria_end")).toHaveLength(1);
  expect(facts("task_blocked")[0]?.message).toMatch(
    /^The command of criterion 1 cannot be started\. Correct the criterion, or install the program\..*exit code 127/,
  );
});

test("a criterion that fails alike three times ends its task, although the work differs", async () => {
  await using project = await createProject({ tasks: withCriteria("Run `exit 3` exits with 0") });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("criteria_end")).toHaveLength(3);
  expect(new Set(facts("iteration_failed").map(({ tree }) => tree)).size).toBe(3);
  expect(facts("task_blocked")[0]?.message).toMatch(/^The same failure 3 times in a row\./);
});

test("`limits.max_same_failures` allows more such iterations", async () => {
  const tasks = withCriteria("Run `grep -q 'attempt 5' src/T-001.txt` exits with 0");
  const config = { limits: { max_same_failures: 5 } };
  await using project = await createProject({ tasks, config });
  expect((await project.run()).exitCode).toBe(0);
});
