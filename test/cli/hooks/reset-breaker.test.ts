import { expect, test } from "vitest";
import { createProject } from "../../support/project/project.ts";

const path = ".ralph/failures.json";

test("every breaker is closed, and totals stay", async () => {
  await using project = await createProject();
  const record = { last_failure: "red", total_failures: 5, total_successes: 8 };
  const failures = { a: { consecutive_failures: 3, ...record }, b: 2, c: 0, _updated_at: "x" };
  project.write(path, JSON.stringify(failures));
  const { exitCode, stdout } = await project.ralph("status", "--reset-breaker");
  expect(exitCode).toBe(0);
  expect(stdout).toBe(`Closed the circuit breaker of a (3 in a row), b (2 in a row) in ${path}.\n`);
  expect(JSON.parse(project.read(path))).toEqual({
    a: { consecutive_failures: 0, ...record },
    b: 0,
    c: 0,
    _updated_at: "x",
  });
  const before = project.read(path);
  const again = await project.ralph("status", "--reset-breaker");
  expect(again.stdout).toContain("No circuit breaker is open.");
  expect(project.read(path)).toBe(before);
  const { stdout: json } = await project.ralph("status", "--reset-breaker", "--json");
  expect(JSON.parse(json)).toEqual({ reset: {} });
});

test("without counters there is nothing to close, and nothing is made", async () => {
  await using project = await createProject();
  const { exitCode, stdout } = await project.ralph("status", "--reset-breaker");
  expect([exitCode, stdout]).toEqual([0, `No circuit breaker is open: ${path} does not exist.\n`]);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("broken counters are reported with their place and not changed", async () => {
  await using project = await createProject();
  project.write(path, '{"a": {"consecutive_failures": -1}}');
  const { exitCode, stderr } = await project.ralph("status", "--reset-breaker");
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${path}:1:`);
  expect(project.read(path)).toContain("-1");
});
