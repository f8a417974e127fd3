import { describe, expect, test } from "vitest";
import { RalphError } from "../../src/error.ts";
import { Config } from "../../src/schema/config/config.ts";
import type { RunOptions } from "../../src/schema/config/run-options.ts";
import { applyOverrides } from "../../src/sources/config-overrides.ts";

const file = Config.parse({
  version: "1",
  task_source: { type: "prd_json", path: ".ralph/prd.json" },
  gates: { full: [] },
  git: { base_branch: "main" },
  agents: { implementation: { model: "from-file", timeout: 900 }, fix: { driver: "command" } },
  limits: { max_iterations: 12 },
});

const override = (flags: RunOptions, environment: Record<string, string | undefined> = {}) =>
  applyOverrides(file, { flags, env: environment });

test("nothing given changes nothing, and an empty variable is the same as none", () => {
  expect(override({})).toEqual(file);
  expect(override({ timeout: undefined }, { RALPH_MAX_ITERATIONS: "" })).toEqual(file);
});

describe("precedence: flag, environment, file, default", () => {
  const unset = Config.parse({
    version: "1",
    task_source: { type: "prd_json", path: ".ralph/prd.json" },
    gates: { full: [] },
    git: { base_branch: "main" },
  });
  const given = Config.parse({
    ...unset,
    agents: {
      implementation: { model: "file" },
      test_writing: { model: "file" },
      review: { model: "file" },
    },
    limits: { claude_timeout: 100, max_iterations: 10 },
  });
  const rows: {
    variable: string;
    flag: keyof RunOptions;
    values: [flag: string | number, variable: string];
    read: (config: Config) => unknown;
    expected: [flag: unknown, variable: unknown, file: unknown, usual: unknown];
  }[] = [
    {
      variable: "RALPH_IMPL_MODEL",
      flag: "modelImpl",
      values: ["flag", "env"],
      read: ({ agents }) => agents.implementation.model,
      expected: ["flag", "env", "file", undefined],
    },
    {
      variable: "RALPH_TEST_MODEL",
      flag: "modelTest",
      values: ["flag", "env"],
      read: ({ agents }) => agents.test_writing.model,
      expected: ["flag", "env", "file", undefined],
    },
    {
      variable: "RALPH_REVIEW_MODEL",
      flag: "modelReview",
      values: ["flag", "env"],
      read: ({ agents }) => agents.review.model,
      expected: ["flag", "env", "file", undefined],
    },
    {
      variable: "RALPH_CLAUDE_TIMEOUT",
      flag: "timeout",
      values: [300, "200"],
      read: ({ limits }) => limits.claude_timeout,
      expected: [300, 200, 100, 1800],
    },
    {
      variable: "RALPH_MAX_ITERATIONS",
      flag: "maxIterations",
      values: [30, "20"],
      read: ({ limits }) => limits.max_iterations,
      expected: [30, 20, 10, 30],
    },
  ];

  test.each(rows)("of $variable", ({ variable, flag, values, read, expected }) => {
    const [value, text] = values;
    const apply = (config: Config, flags: RunOptions, env: Record<string, string>) =>
      read(applyOverrides(config, { flags, env }));
    const both = { flags: { [flag]: value }, env: { [variable]: text } };
    expect([
      apply(given, both.flags, both.env),
      apply(given, {}, both.env),
      apply(given, {}, {}),
      apply(unset, {}, {}),
    ]).toEqual(expected);
    expect(apply(given, { [flag]: undefined }, both.env)).toBe(expected[1]);
    expect(apply(given, {}, { [variable]: "" })).toBe(expected[2]);
  });
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
    override({ timeout: 600 }),
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

test("limits may be given as options", () => {
  expect(override({ parallel: 4, budget: 2.5, maxIterations: 7 }).limits).toMatchObject({
    parallel: 4,
    budget_usd: 2.5,
    max_iterations: 7,
  });
});

test("a variable below a flag is not looked at", () => {
  expect(override({ maxIterations: 7 }, { RALPH_MAX_ITERATIONS: "many" }).limits).toMatchObject({
    max_iterations: 7,
  });
});

describe("a value that does not fit", () => {
  test.each<[Record<string, string>, RegExp]>([
    [{ RALPH_MAX_ITERATIONS: "many" }, /RALPH_MAX_ITERATIONS=many must be a whole number/],
    [{ RALPH_MAX_ITERATIONS: "0" }, /RALPH_MAX_ITERATIONS=0 must be a whole number from 1/],
    [{ RALPH_MAX_ITERATIONS: "1001" }, /RALPH_MAX_ITERATIONS=1001 must be at most 1000/],
    [{ RALPH_MAX_ITERATIONS: "1.5" }, /RALPH_MAX_ITERATIONS=1.5 must be a whole number/],
    [{ RALPH_CLAUDE_TIMEOUT: "soon" }, /RALPH_CLAUDE_TIMEOUT=soon must be a time from 1/],
    [{ RALPH_TEST_MODEL: "-x" }, /RALPH_TEST_MODEL=-x must be one word/],
  ])("in %j is an error that names it", (environment, message) => {
    expect(() => override({}, environment)).toThrow(message);
  });

  test("is reported with all others, as a configuration error", () => {
    const act = () => override({}, { RALPH_FIX_MODEL: "two words", RALPH_MAX_ITERATIONS: "x" });
    expect(act).toThrow(RalphError);
    expect(act).toThrow(
      expect.objectContaining({
        exitCode: 1,
        message: expect.stringMatching(/RALPH_FIX_MODEL.*\n.*RALPH_MAX_ITER/),
      }),
    );
  });
});
