import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { createProject, type Outcome } from "../support/project/project.ts";

const started = ({ facts }: Outcome) => facts("task_start").map((fact) => fact.task);
const passed = ({ facts }: Outcome) => facts("task_passed").map((fact) => fact.task);

/** Claims without work for T-001, and honest work for the others. */
const firstFails = `if [ "$task" = T-001 ]; then claim; else honest; fi`;

test("tasks run by priority, then id; a dependency comes first", async () => {
  const tasks = [
    task("T-001", { priority: 3 }),
    task("T-002", { priority: 2, dependsOn: ["T-004"] }),
    task("T-003", { priority: 1 }),
    task("T-004", { priority: 1 }),
  ];
  await using project = await createProject({ tasks });
  const outcome = await project.run();
  expect(outcome.exitCode).toBe(0);
  expect(started(outcome)).toEqual(["T-003", "T-004", "T-002", "T-001"]);
});

test("a failed task stops everything of a later priority: exit 3", async () => {
  await using project = await createProject({ agent: firstFails });
  const outcome = await project.run();
  expect(outcome.exitCode).toBe(3);
  expect(started(outcome)).toEqual(["T-001"]);
});

thorough(
  "with --keep-going only its dependents wait, and its work is not in theirs: still exit 3",
  async () => {
    const tasks = [
      task("T-001"),
      task("T-002", { dependsOn: ["T-001"] }),
      task("T-003", { dependsOn: ["T-002"] }),
      task("T-004"),
    ];
    const review = `if [ "$task" = T-001 ]; then signal review-rejected; else honest; fi`;
    const config = { limits: { max_iterations: 1 } };
    await using project = await createProject({ agent: { review }, tasks, config });
    const outcome = await project.run("--keep-going");
    expect(outcome.exitCode).toBe(3);
    expect(started(outcome)).toEqual(["T-001", "T-004"]);
    expect(passed(outcome)).toEqual(["T-004"]);
    expect(project.git("ls-files", "src")).toBe("src/T-004.txt");
    expect(project.git("status", "--porcelain")).toBe("");
  },
);

test("--task runs one task, --from-task the open ones from there on; what passed is skipped", async () => {
  await using project = await createProject();
  expect(passed(await project.run("--task", "T-002"))).toEqual(["T-002"]);
  expect(passed(await project.run("--from-task", "T-003"))).toEqual(["T-003", "T-004"]);
  expect(passed(await project.run())).toEqual(["T-001"]);
  const last = await project.run("--json");
  expect(last.exitCode).toBe(0);
  expect(JSON.parse(last.stdout)).toMatchObject({ status: "nothing_to_do", exit_code: 0 });
});

test("an unknown task is exit 2, before anything is spent", async () => {
  await using project = await createProject();
  const { exitCode, stderr } = await project.ralph("run", "--task", "T-009");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("There is no task T-009");
  expect(readdirSync(project.stateDir)).toEqual([]);
});

test("a task that needs no tests gets no test writer", async () => {
  await using project = await createProject({ tasks: [task("T-001", { requiresTests: false })] });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("agent_start").map(({ role }) => role)).toEqual(["implementation", "review"]);
});

test("a dry run shows the order and writes nothing", async () => {
  await using project = await createProject();
  const list = () => readdirSync(project.folder, { recursive: true }).sort();
  const before = list();
  const { exitCode, stdout } = await project.ralph("run", "--dry-run");
  expect(exitCode).toBe(0);
  expect(stdout.match(/T-00\d/g)).toEqual(
    ["T-001", "T-002", "T-003", "T-004"].flatMap((id) => [id, id]),
  );
  expect(list()).toEqual(before);
  expect(project.git("branch", "--show-current")).toBe("main");
});

thorough(
  "a rejected task is worked on again, and passes when the reviewer is content",
  async () => {
    const review = `if [ "$attempt" = 1 ]; then signal review-rejected; else honest; fi`;
    await using project = await createProject({ tasks: [task("T-001")], agent: { review } });
    const { exitCode, state } = await project.run();
    expect(exitCode).toBe(0);
    expect(state.tasks[0]).toMatchObject({ iterations: 2, rejections: 0 });
  },
);

test("--json prints one object with the outcome, and nothing else", async () => {
  await using project = await createProject({ tasks: [task("T-001")] });
  const { stdout, stderr } = await project.run("--json");
  expect(JSON.parse(stdout)).toMatchObject({
    status: "completed",
    stop_reason: "all_done",
    exit_code: 0,
    tasks_completed: 1,
    tasks_total: 1,
    iterations: 1,
    cost_usd: null,
    branch: "ralph/example",
    tasks: [{ id: "T-001", state: "passed", iterations: 1 }],
  });
  expect(stderr).toContain("T-001");
});

test("time that is over ends the session in good order, and what passed stays: exit 22", async () => {
  // Nobody waits for the back-off of 40 s here, but it counts.
  const config = { limits: { max_runtime: 30 }, breaker: { backoff: 40 } };
  const agent = `if [ "$task" = T-002 ]; then work; exit 1; fi; honest`;
  await using project = await createProject({ config, agent });
  const outcome = await project.run();
  expect(outcome.exitCode).toBe(22);
  expect(passed(outcome)).toEqual(["T-001"]);
  expect(outcome.facts("work_kept")).toMatchObject([{ task: "T-002" }]);
  expect(project.commits()).toHaveLength(1);
  expect(project.git("status", "--porcelain")).toBe("");
});
