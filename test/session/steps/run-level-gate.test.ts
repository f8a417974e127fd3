import { expect, test } from "vitest";
import { sampled, thorough } from "../../setup/sampled.ts";
import { withoutProof } from "../../support/builders/config.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type ProjectOptions } from "../../support/project/project.ts";

const oneTask = [task("T-001")];
const withGates = (full: object[], build: object[] = []): ProjectOptions => ({
  tasks: oneTask,
  config: { gates: { full, build } },
});

thorough("a gate whose condition is not met is skipped, and runs once it is", async () => {
  const when = { name: "later", cmd: "exit 1", when: "src/T-002.txt" };
  const config = { gates: { full: [when] }, limits: { max_iterations: 1 } };
  await using project = await createProject({ tasks: [task("T-001"), task("T-002")], config });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  const results = facts("gate_end").map((gate) => `${gate.task} ${gate.status}`);
  expect(results).toEqual(["T-001 skipped", "T-002 failed"]);
});

test("a gate that is not fatal is recorded, and stops no task", async () => {
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
  expect(facts("baseline_end").map(({ gate }) => gate)).toEqual(["whole"]);
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

test.for(
  sampled(
    [
      ["full", ["slow"]],
      ["none", ["slow"]],
    ] as const,
    1,
  ),
)("with --gates %s the full ones still run before the pass", async ([level, gates]) => {
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

test("what a gate leaves behind is removed and named", async () => {
  const messy = "echo x >left.txt; mkdir -p out; echo x >out/b";
  await using project = await createProject({
    tasks: oneTask,
    gates: { messy, clean: "test ! -d src || cat src/T-001.txt" },
  });
  const { exitCode, facts, stdout } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("gate_end")[0]?.leftovers).toEqual(["left.txt", "out/b"]);
  expect(stdout).toContain("left.txt");
  expect(project.git("ls-tree", "-r", "--name-only", "HEAD")).not.toMatch(/left\.txt|out\/b/);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a gate that changes what it judges has no verdict, and the message names both remedies", async () => {
  const repair = "test ! -e src/T-001.txt || { echo repaired >src/T-001.txt; rm -f a.txt; }";
  await using project = await createProject({ tasks: oneTask, gates: { repair } });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("gate_end")[0]).toMatchObject({ status: "not_started" });
  const message = facts("iteration_failed")[0]?.feedback;
  expect(message).toMatch(/a\.txt.*only checks.*`fixes: true`/s);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a gate that changes only the work fails it, as an unformatted file does", async () => {
  const format = "test ! -e src/T-001.txt || echo formatted >src/T-001.txt";
  const implementation =
    'if [ "$attempt" = 2 ]; then echo formatted >src/T-001.txt; claim; else honest; fi';
  await using project = await createProject({
    tasks: oneTask,
    gates: { format },
    agent: { implementation },
  });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("iteration_failed").map(({ feedback }) => feedback)).toEqual([
    expect.stringContaining("the gate changed files it judges (src/T-001.txt)"),
  ]);
});

const fixing = (proof: object): ProjectOptions => ({
  tasks: oneTask,
  config: {
    proof,
    gates: {
      full: [
        { name: "check", cmd: "cat src/T-001.txt 2>/dev/null || true" },
        {
          name: "format",
          cmd: "test ! -e src/T-001.txt || echo formatted >src/T-001.txt",
          fixes: true,
        },
      ],
    },
  },
});

test.each([
  ["in a checkout", { red_first: "off" }],
  ["in place", withoutProof],
])(
  "with `fixes: true` a gate's changes are taken in %s, and every gate runs again",
  async (_, proof) => {
    await using project = await createProject(fixing(proof));
    const { exitCode, facts } = await project.run();
    expect(exitCode).toBe(0);
    expect(facts("gate_fixed")).toMatchObject([{ gate: "format", paths: ["src/T-001.txt"] }]);
    expect(facts("gate_end").map(({ gate }) => gate)).toEqual(["check", "check", "format"]);
    expect(project.git("show", "HEAD:src/T-001.txt")).toBe("formatted");
    expect(project.git("status", "--porcelain")).toBe("");
  },
);

test("a gate that never settles has no verdict in the end", async () => {
  const full = [
    { name: "stamp", cmd: "test ! -e src/T-001.txt || date +%N >src/T-001.txt", fixes: true },
  ];
  const config = { gates: { full }, limits: { max_iterations: 1 } };
  await using project = await createProject({ tasks: oneTask, config });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("gate_fixed")).toHaveLength(5);
});

test("removing the file a gate's condition names does not switch the gate off", async () => {
  const full = [
    { name: "test", cmd: "test ! -e src/T-001.txt", when: "a.txt" },
    { name: "other", cmd: "true" },
  ];
  const config = { gates: { full }, limits: { max_iterations: 1 } };
  await using project = await createProject({
    tasks: oneTask,
    config,
    agent: { implementation: "rm a.txt; honest" },
  });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("iteration_failed")[0]?.feedback).toMatch(
    /nothing matches its condition a\.txt now.*Restore it/,
  );
});

test("gates judge the tree in a checkout: what lies beside it in the work tree does not count", async () => {
  const implementation = "mkdir -p out; echo x >out/ok; honest";
  const options: ProjectOptions = {
    tasks: oneTask,
    files: { ".gitignore": "out/\n" },
    agent: { implementation },
    gates: { test: "test ! -e src/T-001.txt || test -e out/ok" },
  };
  await using project = await createProject({
    ...options,
    config: { proof: {}, limits: { max_iterations: 1 } },
  });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(new Set(facts("gate_end").map(({ status }) => status))).toEqual(new Set(["failed"]));
});

test("a gate that does not end in its time has failed", async () => {
  const options = { limits: { timeoutMs: 2000 }, config: { limits: { max_iterations: 1 } } };
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
