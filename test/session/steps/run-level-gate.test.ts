import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject, type ProjectOptions } from "../../support/project/project.ts";

const oneTask = [task("T-001")];
const withGates = (full: object[], build: object[] = []): ProjectOptions => ({
  tasks: oneTask,
  config: { gates: { full, build } },
});

test("a gate whose condition is not met is skipped, and runs once it is", async () => {
  const when = { name: "later", cmd: "exit 1", when: "src/T-002.txt" };
  const config = { gates: { full: [when] }, limits: { max_iterations: 1 } };
  await using project = await createProject({ tasks: [task("T-001"), task("T-002")], config });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  const results = facts("gate_end").map((gate) => `${gate.task} ${gate.status}`);
  expect(results).toEqual(["T-001 skipped", "T-002 failed"]);
});

test("a gate that is not fatal is recorded, and stops nobody", async () => {
  const options = withGates([
    { name: "style", cmd: "exit 1", fatal: false },
    { name: "whole", cmd: "true" },
  ]);
  await using project = await createProject(options);
  const { exitCode, facts, prompts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("gate_end").map(({ gate, status }) => `${gate} ${status}`)).toEqual([
    "style failed",
    "whole passed",
  ]);
  expect(facts("baseline_end")).toEqual([]);
  expect(prompts("review")[0]).toContain("- gate style: failed");
});

test("a fatal failure skips the gates that follow", async () => {
  const gates = [
    { name: "first", cmd: "test ! -d src" },
    { name: "second", cmd: "true" },
  ];
  const config = { gates: { full: gates }, limits: { max_iterations: 1 } };
  await using project = await createProject({ tasks: oneTask, config });
  const { facts } = await project.run();
  expect(facts("gate_end").map(({ gate }) => gate)).toEqual(["first"]);
});

test("build gates run in the loop, full ones before the pass, each once on a tree", async () => {
  const review = `if [ "$attempt" = 1 ]; then signal review-rejected; else honest; fi`;
  const options = withGates([{ name: "slow", cmd: "true slow" }], [{ name: "fast", cmd: "true" }]);
  await using project = await createProject({ ...options, agent: { review } });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("gate_end").map(({ gate, level }) => `${gate} ${level}`)).toEqual([
    "fast build",
    "fast build",
    "slow full",
  ]);
});

test.for([
  ["full", ["slow"]],
  ["none", ["slow"]],
] as const)("with --gates %s the full ones still run before the pass", async ([level, gates]) => {
  const options = withGates([{ name: "slow", cmd: "true slow" }], [{ name: "fast", cmd: "true" }]);
  await using project = await createProject(options);
  const { exitCode, facts } = await project.run("--gates", level);
  expect(exitCode).toBe(0);
  expect(facts("gate_end").map(({ gate }) => gate)).toEqual(gates);
});

test("two gates with one command share its result", async () => {
  const options = withGates([
    { name: "one", cmd: "true" },
    { name: "other", cmd: "true" },
  ]);
  await using project = await createProject(options);
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("gate_end").map(({ gate }) => gate)).toEqual(["one"]);
});

test("the full gates can still turn down what the reviewer approved", async () => {
  const full = [
    {
      name: "slow",
      cmd: "! grep -q 'attempt 1' src/T-001.txt || grep -q 'attempt 2' src/T-001.txt",
    },
  ];
  await using project = await createProject(withGates(full, [{ name: "fast", cmd: "true" }]));
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("iteration_failed").map(({ because }) => because)).toEqual(["gate"]);
  expect(facts("agent_start").filter(({ role }) => role === "review")).toHaveLength(2);
});

test("what a gate changes is put back, what it leaves behind is removed and named", async () => {
  const messy =
    "echo x >>a.txt; echo x >left.txt; rm -f src/T-001.txt; mkdir -p out; echo x >out/b";
  await using project = await createProject({
    tasks: oneTask,
    gates: { messy, clean: "cat src/T-001.txt" },
  });
  const { exitCode, facts, stdout } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("gate_end")[0]?.leftovers).toEqual(["left.txt", "out/b"]);
  expect(stdout).toContain("left.txt");
  expect(project.git("show", "HEAD:a.txt")).toBe("a");
  expect(project.git("ls-tree", "-r", "--name-only", "HEAD")).not.toMatch(/left\.txt|out\/b/);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a gate that does not end in its time has failed", async () => {
  const options = { limits: { timeoutMs: 500 }, config: { limits: { max_iterations: 1 } } };
  const gates = { endless: "test ! -d src || sleep 60" };
  await using project = await createProject({ ...options, tasks: oneTask, gates });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("gate_end")[0]?.status).toBe("timed_out");
  expect(facts("iteration_failed")[0]?.feedback).toContain("ran out of time");
});

test("a gate sees neither our variables nor secrets, but what `gates.env` names", async () => {
  const env = { GITHUB_TOKEN: "secret", DATABASE: "here", OTHER: "x" };
  const gates = {
    full: [{ name: "look", cmd: `env; test "$DATABASE" = here` }],
    env: ["DATABASE"],
  };
  await using project = await createProject({ tasks: oneTask, env, config: { gates } });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  const output = project.evidence(facts("gate_end")[0]?.output);
  expect(output).not.toMatch(/secret|OTHER|RALPH_STATE_DIR/);
});
