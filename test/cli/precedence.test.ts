import { describe, expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { createProject, type ProjectOptions } from "../support/project/project.ts";

const options = (more: ProjectOptions = {}) => ({ tasks: [task("T-001")], ...more });
const broken = "version: 2\n";

describe("which configuration is read", () => {
  test.each<[string, string | undefined, string[], string]>([
    ["--config takes precedence over RALPH_CONFIG", "env.yml", ["-c", "flag.yml"], "flag.yml"],
    ["RALPH_CONFIG takes precedence over the default path", "env.yml", [], "env.yml"],
    ["an empty RALPH_CONFIG is unset", "", [], ".ralph/ralph.yml"],
    ["nothing given is the usual place", undefined, [], ".ralph/ralph.yml"],
  ])("%s", async (_, RALPH_CONFIG, flags, read) => {
    await using project = await createProject(options({ env: { RALPH_CONFIG } }));
    for (const name of ["env.yml", "flag.yml", ".ralph/ralph.yml"]) project.write(name, broken);
    for (const command of [["run", "--dry-run"], ["validate"]]) {
      const { exitCode, stderr } = await project.ralph(...command, ...flags);
      expect(stderr).toContain(`${read}:1:1: version must be the text "1"`);
      expect(stderr.match(/^\S+(?=:1:1: version)/gm)).toEqual([read]);
      expect(exitCode).toBe(1);
    }
  });

  test("a RALPH_CONFIG that is not there is exit 1 for validate as well", async () => {
    await using project = await createProject(options({ env: { RALPH_CONFIG: "gone.yml" } }));
    const { exitCode, stderr } = await project.ralph("validate");
    expect(stderr).toMatch(/^gone\.yml: does not exist/m);
    expect(exitCode).toBe(1);
  });
});

test.each<[string, string]>([
  ["RALPH_MAX_ITERATIONS", "1.5"],
  ["RALPH_MAX_ITERATIONS", "0"],
  ["RALPH_CLAUDE_TIMEOUT", "soon"],
  ["RALPH_REVIEW_MODEL", "two words"],
])("%s=%s is exit 1 before anything is spent, and is named", async (name, value) => {
  await using project = await createProject(options({ env: { [name]: value } }));
  const { exitCode, stderr } = await project.ralph("run");
  expect(stderr).toContain(`${name}=${value}`);
  expect(exitCode).toBe(1);
  expect(project.git("symbolic-ref", "--short", "HEAD")).toBe("main");
});
