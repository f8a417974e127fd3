import { expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";

const subtask = (id: string, more: object) => ({
  id,
  title: `Part ${id}`,
  acceptanceCriteria: [`Part ${id} works`],
  passes: false,
  ...more,
});

const independent = [
  subtask("T-001.1", { independent: true }),
  subtask("T-001.2", { independent: true }),
];

test("independent subtasks have their own loops before their parent", async () => {
  const tasks = [task("T-001", { subtasks: independent })];
  await using project = await createProject({ tasks });
  const { exitCode, facts, prompts } = await project.run();
  expect(exitCode).toBe(0);
  const calls = facts("agent_start").map(({ role, subtask: id }) => `${id ?? "T-001"} ${role}`);
  const roles = ["implementation", "test_writing", "review"];
  expect(calls).toEqual(
    ["T-001.1", "T-001.2", "T-001"].flatMap((id) => roles.map((role) => `${id} ${role}`)),
  );
  const [first = "", , last = ""] = prompts("implementation");
  expect(first).toContain("1. Part T-001.1 works");
  expect(first).not.toContain("1. It works");
  expect(last).toContain("1. It works");
  expect(project.commits()).toHaveLength(1);
  expect(project.prd().tasks[0]).toMatchObject({
    passes: true,
    subtasks: [{ passes: true }, { passes: true }],
  });
});

test("a parent does not pass when an independent subtask fails", async () => {
  const tasks = [task("T-001", { subtasks: independent })];
  const implementation = `if grep -q x src/T-001.txt 2>/dev/null; then claim; else honest; fi`;
  const agent = { implementation, review: "signal review-rejected" };
  await using project = await createProject({ tasks, agent });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("agent_start").every(({ subtask: id }) => id === "T-001.1")).toBe(true);
  expect(project.prd().tasks[0]).toMatchObject({
    passes: false,
    subtasks: [{ passes: false }, {}],
  });
});

const complete = (id: string) => `echo "<subtask-complete id=\\"${id}\\" session=\\"$token\\">"`;
const checkpoints = [subtask("T-001.1", {}), subtask("T-001.2", {})];

test("checkpoint subtasks are signalled within the parent's work; what is missing is asked for", async () => {
  const implementation = `${complete("T-001.1")}
    if [ "$attempt" = 2 ]; then ${complete("T-001.2")}; fi; honest`;
  const tasks = [task("T-001", { subtasks: checkpoints })];
  await using project = await createProject({ tasks, agent: { implementation } });
  const { exitCode, facts, prompts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("iteration_failed").map(({ because }) => because)).toEqual(["subtasks"]);
  const [first = "", second = ""] = prompts("implementation");
  expect(first).toContain('<subtask-complete id="T-001.1" session="TOKEN">');
  expect(second).toContain("- T-001.2: Part T-001.2");
  expect(second).not.toContain('<subtask-complete id="T-001.1"');
  expect(project.prd().tasks[0]).toMatchObject({
    passes: true,
    subtasks: [{ passes: true }, { passes: true }],
  });
});

test("checkpoints that are never signalled keep their parent from passing", async () => {
  const config = { limits: { max_iterations: 2 } };
  const tasks = [task("T-001", { subtasks: checkpoints })];
  const implementation = `${complete("T-001.1")}; ${complete("T-001.9")}; honest`;
  await using project = await createProject({ tasks, config, agent: { implementation } });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("task_failed")[0]?.message).toContain("T-001.2");
  expect(facts("task_passed")).toEqual([]);
});
