import { expect, test } from "vitest";
import { Config } from "../../src/model/config.ts";

const minimal = {
  version: "1",
  task_source: { type: "prd_json", path: ".ralph/prd.json" },
  gates: { full: [{ name: "test", cmd: "npm test", when: "package.json", fatal: true }] },
  git: { base_branch: "main" },
};

test("the minimal configuration of the specification becomes a complete one", () => {
  expect(Config.parse(minimal)).toMatchObject({
    setup: [],
    services: {},
    gates: { build: [], full: [{ timeout_seconds: 300, fatal: true }], env: [] },
    test_paths: ["tests/**", "test/**", "**/__tests__/**", "**/*.test.*", "**/*.spec.*"],
    agents: {
      implementation: { driver: "claude", allowed_tools: [], args: [] },
      ui_testing: { driver: "claude" },
      env: [],
      credentials: "passed",
    },
    limits: {
      claude_timeout: 1800,
      max_iterations: 30,
      max_verification_attempts: 3,
      post_verify_iterations: 10,
      max_runtime: null,
      budget_usd: null,
      max_continuations: 5,
      queue_attempts: 3,
      parallel: 1,
      open_prs: 1,
      runs_per_day: 10,
    },
    breaker: { max_consecutive_failures: 3, backoff: 1, backoff_max: 60 },
    protect: { allow: [], max_files: 300, max_patch_bytes: 4_194_304, max_file_bytes: 1_048_576 },
    sandbox: { mode: "auto", network: "host", writable: [], env: [] },
    autopilot: {
      enabled: false,
      reports_dir: "./reports",
      branch_prefix: "ralph/",
      tasks: { output: ".ralph/prd.json", min_count: 8, max_count: 15 },
      memory: { progress: ".ralph/progress.txt", archive: ".ralph/archive" },
    },
    git: { base_branch: "main", remote: "origin" },
    pr: { enabled: true, title_template: "Ralph: {priority_item}" },
    commits: "git",
    compat: { emit: [] },
    triggers: { label: "ralph", autopilot_label: "ralph:autopilot" },
  });
});

test("durations are seconds, however they are written", () => {
  const parsed = Config.parse({
    ...minimal,
    limits: { claude_timeout: "30m", max_runtime: "2h" },
    breaker: { backoff: "5s", backoff_max: "90" },
    agents: { review: { timeout: 600 } },
  });
  expect(parsed.limits).toMatchObject({ claude_timeout: 1800, max_runtime: 7200 });
  expect(parsed.breaker).toMatchObject({ backoff: 5, backoff_max: 90 });
  expect(parsed.agents.review.timeout).toBe(600);
});

test("variables of Robot Framework are texts, however they are written", () => {
  const variables = { HEADLESS: true, RETRIES: 3, BROWSER: "chromium" };
  expect(Config.parse({ ...minimal, ui: { robot: { variables } } }).ui.robot.variables).toEqual({
    HEADLESS: "true",
    RETRIES: "3",
    BROWSER: "chromium",
  });
});
