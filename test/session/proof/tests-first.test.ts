import { expect, test } from "vitest";
import { countedFiles, countingGate } from "../../support/builders/counting-gate.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type ProjectOptions } from "../../support/project/project.ts";

const secret = "grep -q secret-answer src/new.js";
const options = (implementation: string): ProjectOptions => ({
  tasks: [task("T-001")],
  files: countedFiles,
  gates: { test: countingGate },
  config: { proof: {}, tests: { order: "tests_first" }, limits: { max_iterations: 2 } },
  agent: {
    test_writing: `[ "$attempt" = 1 ] && echo '${secret}' >tests/new.sh; echo wrote '${secret}'; claim`,
    implementation,
  },
});

test("tests are written first, fail on the base, and are out of the implementation's reach", async () => {
  const look =
    "echo seen $(ls tests) $(grep -rl secret-answer . --exclude-dir=.git) >src/seen.txt; echo secret-answer >src/new.js; claim";
  await using project = await createProject(options(look));
  const { exitCode, facts, prompts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("agent_start").map(({ role }) => role)).toEqual([
    "test_writing",
    "implementation",
    "review",
  ]);
  expect(project.git("show", "HEAD:src/seen.txt")).toBe("seen old.sh");
  expect(project.git("show", "HEAD:tests/new.sh")).toBe(secret);
  const [prompt = ""] = prompts("implementation");
  expect(prompt).toContain("tap: tests/new.sh");
  expect(prompt).not.toContain("secret-answer");
  expect(prompts("test_writing")[0]).toContain("has not been implemented yet");
  const report = await project.ralph("report", "--markdown");
  expect(report.stdout).toContain("tests written before the work");
  // The tests' run on the base counts as the proof's own.
  const runs = facts("proof_gate_end").map(({ part }) => part);
  expect(runs.filter((part) => part === "first")).toHaveLength(1);
  expect(facts("proof_judged")[0]?.figures.red_first).toBe("red");
});

test("the next iteration continues from the work, and knows names and messages only", async () => {
  const grow =
    '[ "$attempt" = 1 ] && echo wrong >src/new.js || echo secret-answer >>src/new.js; claim';
  await using project = await createProject(options(grow));
  const { exitCode, facts, prompts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("agent_start").map(({ role }) => role)).toEqual([
    "test_writing",
    "implementation",
    "test_writing",
    "implementation",
    "review",
  ]);
  expect(project.git("show", "HEAD:src/new.js")).toBe("wrong\nsecret-answer");
  expect(prompts("implementation").join()).not.toContain("secret-answer");
  expect(prompts("implementation")[1]).toContain("tests/new.sh");
});
