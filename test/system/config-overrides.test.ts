import { describe, expect, test } from "vitest";
import { RalphError } from "../../src/error.ts";
import { Config } from "../../src/model/config.ts";
import { applyOverrides, type Flags } from "../../src/system/config-overrides.ts";

const file = Config.parse({
  version: "1",
  task_source: { type: "prd_json", path: ".ralph/prd.json" },
  gates: { full: [] },
  git: { base_branch: "main" },
  agents: { implementation: { model: "from-file", timeout: 900 }, fix: { driver: "command" } },
  limits: { max_iterations: 12 },
});

const override = (flags: Flags, environment: Record<string, string | undefined> = {}) =>
  applyOverrides(file, { flags, env: environment });

test("nothing given changes nothing, and empty is the same as nothing", () => {
  expect(override({})).toEqual(file);
  expect(override({ modelImpl: "", timeout: undefined }, { RALPH_MAX_ITERATIONS: "" })).toEqual(
    file,
  );
});

test("a flag wins over the environment, and the environment over the file", () => {
  const environment = { RALPH_IMPL_MODEL: "from-env", RALPH_MAX_ITERATIONS: "20" };
  expect(override({}, environment).agents.implementation.model).toBe("from-env");
  const both = override({ modelImpl: "from-flag" }, environment);
  expect(both.agents.implementation.model).toBe("from-flag");
  expect(both.limits.max_iterations).toBe(20);
  expect(override({ modelImpl: "" }, environment).agents.implementation.model).toBe("from-env");
});

test.each<[string, "implementation" | "test_writing" | "review" | "fix" | "planning"]>([
  ["RALPH_IMPL_MODEL", "implementation"],
  ["RALPH_TEST_MODEL", "test_writing"],
  ["RALPH_REVIEW_MODEL", "review"],
  ["RALPH_FIX_MODEL", "fix"],
  ["RALPH_PLANNING_MODEL", "planning"],
])("%s sets the model of %s and of nobody else", (variable, role) => {
  const { agents } = override({}, { [variable]: "haiku" });
  expect(agents).toEqual({ ...file.agents, [role]: { ...file.agents[role], model: "haiku" } });
});

test("a time limit given by hand holds for every role, whatever the file says", () => {
  for (const changed of [
    override({ timeout: "10m" }),
    override({}, { RALPH_CLAUDE_TIMEOUT: "600" }),
  ]) {
    expect(changed.limits.claude_timeout).toBe(600);
    expect(changed.agents.implementation.timeout).toBeUndefined();
  }
});

test("--agent sets the driver of every role", () => {
  const { agents } = override({ agent: "codex" });
  expect(
    [agents.implementation, agents.fix, agents.ui_testing].map(({ driver }) => driver),
  ).toEqual(["codex", "codex", "codex"]);
});

test("a caller may have read the numbers already", () => {
  expect(override({ maxIterations: 7, timeout: 90 }).limits).toMatchObject({
    max_iterations: 7,
    claude_timeout: 90,
  });
  expect(() => override({ maxIterations: 0 })).toThrow(/--max-iterations=0 must be at least 1/);
});

test("limits may be given as options", () => {
  expect(override({ parallel: "4", budget: "2.50", maxRuntime: "2h" }).limits).toMatchObject({
    parallel: 4,
    budget_usd: 2.5,
    max_runtime: 7200,
  });
});

describe("a value that does not fit", () => {
  test.each<[Flags, Record<string, string>, RegExp]>([
    [{}, { RALPH_MAX_ITERATIONS: "many" }, /RALPH_MAX_ITERATIONS=many must be a whole number/],
    [{}, { RALPH_MAX_ITERATIONS: "1.5" }, /RALPH_MAX_ITERATIONS=1.5 must be a whole number/],
    [{}, { RALPH_CLAUDE_TIMEOUT: "soon" }, /RALPH_CLAUDE_TIMEOUT=soon must be a time from 60/],
    [{}, { RALPH_TEST_MODEL: "-x" }, /RALPH_TEST_MODEL=-x must be one word/],
    [{ maxIterations: "0" }, {}, /--max-iterations=0 must be at least 1/],
    [{ budget: "-1" }, {}, /--budget=-1 must be an amount/],
    [{ parallel: "33" }, {}, /--parallel=33 must be at most 32/],
    [{ timeout: "1s" }, {}, /--timeout=1s must be a time from 60/],
  ])("in %j %j is an error that names it", (flags, environment, message) => {
    expect(() => override(flags, environment)).toThrow(message);
  });

  test("is reported with all others, as a configuration error", () => {
    const act = () => override({ budget: "x" }, { RALPH_MAX_ITERATIONS: "x" });
    expect(act).toThrow(RalphError);
    expect(act).toThrow(
      expect.objectContaining({
        exitCode: 1,
        message: expect.stringMatching(/RALPH_MAX_ITER.*\n.*--budget/),
      }),
    );
  });
});
