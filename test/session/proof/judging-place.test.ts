import { expect, test } from "vitest";
import { countedFiles, countingGate } from "../../support/builders/counting-gate.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type ProjectOptions } from "../../support/project/project.ts";

const honest = {
  implementation: "echo new >src/new.js; claim",
  test_writing: "echo 'grep -q new src/new.js' >tests/new.sh; claim",
};

const options = (more: ProjectOptions = {}): ProjectOptions => ({
  tasks: [task("T-001")],
  gates: { test: countingGate },
  config: { proof: {}, limits: { max_iterations: 1 } },
  agent: honest,
  ...more,
  files: { ...countedFiles, ".gitignore": "node_modules/\nlocal/\n", ...more.files },
});

test("ignored files that an implementation writes are reported", async () => {
  const implementation = `mkdir -p local; echo x >local/settings; ${honest.implementation}`;
  await using project = await createProject(options({ agent: { ...honest, implementation } }));
  const { exitCode, facts } = await project.run("--verbose");
  expect(exitCode).toBe(0);
  const [call] = facts("agent_end");
  expect(call?.ignored).toEqual(["local/settings"]);
  const timeline = await project.ralph("status", "--timeline");
  expect(timeline.stdout).toContain("ignored files changed");
});

test("a program that the work's own test plants is removed, and is a finding", async () => {
  const plant =
    "mkdir -p node_modules/.bin; echo exit 0 >node_modules/.bin/grep; chmod +x node_modules/.bin/grep";
  const test_writing = `printf '%s\\n' 'grep -q new src/new.js || exit 1' '${plant}' >tests/new.sh; claim`;
  await using project = await createProject(options({ agent: { ...honest, test_writing } }));
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("gate_end").at(-1)?.planted).toEqual(["node_modules/.bin/grep"]);
  expect(facts("proof_judged")[0]?.findings).toContainEqual(
    expect.objectContaining({
      kind: "finding",
      message: expect.stringContaining("`node_modules/.bin/grep`"),
    }),
  );
});

test("packages that an agent adds are not there when gates run; those of before are", async () => {
  const gate = `${countingGate} && test -e node_modules/own/ok && ! test -e node_modules/own/planted`;
  const manifest = JSON.stringify({ name: "a", dependencies: { own: "1.0.0" } });
  const implementation = `touch node_modules/own/planted; ${honest.implementation}`;
  await using project = await createProject(
    options({
      gates: { test: gate },
      files: { "package.json": manifest },
      agent: { ...honest, implementation },
    }),
  );
  project.write("node_modules/own/ok", "");
  const { exitCode, facts } = await project.run();
  expect(facts("gate_end").map(({ status }) => status)).toEqual(["passed"]);
  expect(exitCode).toBe(0);
});

test("after a merge, old tests and counts are judged again on what comes out", async () => {
  const tasks = [task("T-001", { priority: 1 }), task("T-002", { priority: 1 })];
  // Both are begun before one ends, so that the second one is merged.
  const meet = `cd "$PROJECT/.."; touch "$task"; until [ -e T-001 ] && [ -e T-002 ]; do sleep 0.05; done`;
  const implementation = `(${meet}); echo "$task" >"src/$task.js"; claim`;
  const test_writing = `echo "grep -q $task src/$task.js" >"tests/$task.sh"; claim`;
  await using project = await createProject(
    options({
      tasks,
      agent: { implementation, test_writing },
      config: { proof: {}, limits: { parallel: 2, max_iterations: 1 } },
    }),
  );
  const { exitCode, facts, stdout, stderr } = await project.run();
  expect(exitCode, stdout + stderr).toBe(0);
  const [merged] = facts("task_merged");
  const judged = facts("proof_judged").filter(({ tree }) => tree === merged?.tree);
  expect(judged).toMatchObject([{ task: merged?.task, findings: [] }]);
  expect(judged[0]?.figures).toMatchObject({ tests_before: 2, tests_after: 3 });
  const planned = facts("proof_planned").find(({ tree }) => tree === merged?.tree);
  expect(planned).toMatchObject({ hunks: [], tests: [] });
});
