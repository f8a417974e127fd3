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

test("a new failure beside an old one fails the iteration, and only the new one is reported", async () => {
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

test("red at the start without a failure to compare ends the session before a call: exit 4", async () => {
  const { project, exitCode, state, facts } = await run({ gates: { mute: "echo broken; exit 1" } });
  await using _ = project;
  expect(exitCode).toBe(4);
  expect(state.end?.message).toMatch(
    /^Gate "mute" fails on the start commit.*baseline: repair.*baseline: allow.*broken/s,
  );
  expect(facts("agent_start")).toEqual([]);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("red with a name at the start, and without one after the work, cannot be judged: exit 4", async () => {
  const gates = { tap: `test -d src || echo "not ok 1 - old failure"; exit 1` };
  const { project, exitCode, state, facts } = await run({ gates });
  await using _ = project;
  expect(exitCode).toBe(4);
  expect(state.end?.message).toMatch(/Gate "tap" fails before and after.*baseline: repair/s);
  expect(facts("task_passed")).toEqual([]);
  expect(facts("work_kept")).toHaveLength(1);
});

test("with `baseline: repair` the task must make the gate green", async () => {
  const implementation = `work; test "$attempt" = 1 || touch src/repaired; claim`;
  const full = [{ name: "mute", cmd: "test -e src/repaired", baseline: "repair" }];
  const config = { gates: { full } };
  const { project, exitCode, facts } = await run({ config, agent: { implementation } });
  await using _ = project;
  expect(exitCode).toBe(0);
  expect(facts("iteration_failed").map(({ because }) => because)).toEqual(["gate"]);
  expect(facts("baseline_end")).toEqual([]);
});

test("`baseline: allow` accepts such a gate", async () => {
  const full = [{ name: "mute", cmd: "echo broken; exit 1", baseline: "allow" }];
  const { project, exitCode } = await run({ config: { gates: { full } } });
  await using _ = project;
  expect(exitCode).toBe(0);
});

test("every gate that could end the session runs once on the start commit, before the first call", async () => {
  const { project, events } = await run({});
  await using _ = project;
  const types = events.map(({ type }) => type).filter((type) => /baseline|agent_start/.test(type));
  expect(types.slice(0, 2)).toEqual(["baseline_end", "agent_start"]);
  expect(types.filter((type) => type === "baseline_end")).toHaveLength(1);
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
