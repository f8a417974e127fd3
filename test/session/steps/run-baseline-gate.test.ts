import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject, type ProjectOptions } from "../../support/project/project.ts";

/** A gate that is red on the start commit already: one known failure, and one more when `src/bad.txt` is there. */
const tap = `echo "not ok 1 - old failure"
  if [ -e src/bad.txt ]; then echo "not ok 2 - new failure"; fi; exit 1`;

const run = async (options: ProjectOptions) => {
  const project = await createProject({ tasks: [task("T-001")], ...options });
  return { project, ...(await project.run()) };
};

test("failures that were there before do not fail the task", async () => {
  const { project, exitCode, facts } = await run({ gates: { tap } });
  await using _ = project;
  expect(exitCode).toBe(0);
  expect(facts("baseline_end")).toHaveLength(1);
  expect(facts("iteration_failed")).toEqual([]);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a new failure beside an old one fails the iteration, and only the new one is told", async () => {
  const implementation = `if [ "$attempt" = 1 ]; then mkdir -p src; echo x >src/bad.txt; else rm src/bad.txt; fi; honest`;
  const { project, exitCode, facts } = await run({ gates: { tap }, agent: { implementation } });
  await using _ = project;
  expect(exitCode).toBe(0);
  const [failure, ...more] = facts("iteration_failed");
  expect(more).toEqual([]);
  expect(failure?.because).toBe("gate");
  expect(failure?.feedback).toContain("Only these are new:\n- tap: new failure");
  expect(facts("baseline_end")).toHaveLength(1);
});

test("red before and after without a failure to compare cannot be judged: exit 4", async () => {
  const { project, exitCode, state, facts } = await run({ gates: { mute: "echo broken; exit 1" } });
  await using _ = project;
  expect(exitCode).toBe(4);
  expect(state.end?.message).toMatch(/Gate "mute" fails before and after.*baseline: allow/s);
  expect(facts("task_passed")).toEqual([]);
  expect(facts("work_kept")).toHaveLength(1);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("`baseline: allow` accepts such a gate", async () => {
  const full = [{ name: "mute", cmd: "echo broken; exit 1", baseline: "allow" }];
  const { project, exitCode } = await run({ config: { gates: { full } } });
  await using _ = project;
  expect(exitCode).toBe(0);
});

test("the baseline is asked only when a gate turns red", async () => {
  const { project, facts } = await run({});
  await using _ = project;
  expect(facts("baseline_end")).toEqual([]);
});

test("what a gate does to the start tree's checkout does not reach the work tree", async () => {
  const gates = { messy: `echo x >left.txt; test ! -d src || { echo "not ok 1 - red"; exit 1; }` };
  const options = {
    gates,
    agent: { implementation: `work; test "$attempt" = 1 || rm -r src; claim` },
  };
  const { project, facts } = await run(options);
  await using _ = project;
  expect(facts("baseline_end")[0]?.status).toBe("passed");
  expect(project.git("status", "--porcelain")).toBe("");
});
