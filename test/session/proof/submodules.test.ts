import { expect, test } from "vitest";
import { countedFiles, countingGate } from "../../support/builders/counting-gate.ts";
import { task } from "../../support/builders/session.ts";
import { createGitProject } from "../../support/project/git.ts";
import { createProject } from "../../support/project/project.ts";

test("with submodules gates run in the work tree, and only the number of tests is compared", async () => {
  await using other = await createGitProject({ "lib.txt": "a library\n" });
  await using project = await createProject({
    tasks: [task("T-001")],
    files: countedFiles,
    gates: { test: countingGate },
    config: { proof: {}, limits: { max_iterations: 1 } },
    agent: {
      implementation: `echo new >src/new.js; claim`,
      test_writing: `echo 'grep -q "a library" lib/lib.txt && grep -q new src/new.js' >tests/new.sh; claim`,
    },
  });
  const add = ["submodule", "add", "-q", other.root, "lib"];
  project.git("-c", "protocol.file.allow=always", ...add);
  project.git("commit", "-qm", "a submodule");
  const { exitCode, facts, state } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("proof_gate_end")).toEqual([]);
  expect(facts("proof_judged")[0]?.figures).toMatchObject({ tests_before: 1, tests_after: 2 });
  expect(state.warnings.join("\n")).toContain("The repository has submodules");
});
