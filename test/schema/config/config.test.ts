import { expect, test } from "vitest";
import { agentRoles, writtenAgents } from "../../../src/schema/config/agents.ts";
import { checkConfig } from "../../../src/schema/config/check-config.ts";
import { Config } from "../../../src/schema/config/config.ts";

const minimal = {
  version: "1",
  task_source: { type: "prd_json", path: ".ralph/prd.json" },
  gates: { full: [{ name: "test", cmd: "npm test", when: "package.json", fatal: true }] },
  git: { base_branch: "main" },
};

const agent = { driver: "claude", allowed_tools: [], args: [] };

/** Every default there is; numbers with their bounds stand in `config-bounds.test.ts` too. */
const complete = {
  ...minimal,
  setup: [],
  services: {},
  gates: {
    build: [],
    full: [
      { name: "test", cmd: "npm test", when: "package.json", fatal: true, timeout_seconds: 300 },
    ],
    env: [],
  },
  test_paths: ["tests/**", "test/**", "**/__tests__/**", "**/*.test.*", "**/*.spec.*"],
  ui: {
    agent_browser: { enabled: false, tests: [] },
    browser_use: { enabled: false, timeout: 120, screenshot_on_failure: true },
    robot: { enabled: false, variables: {}, auto_generate: false },
    frontend_paths: [],
  },
  agents: {
    implementation: agent,
    test_writing: agent,
    review: agent,
    fix: agent,
    planning: agent,
    repair_planner: "fix",
    ui_testing: agent,
    env: [],
    credentials: "passed",
  },
  limits: {
    claude_timeout: 1800,
    max_iterations: 30,
    max_verification_attempts: 3,
    max_same_failures: 3,
    post_verify_iterations: 10,
    ui_fix_iterations: 10,
    robot_fix_iterations: 10,
    max_runtime: null,
    budget_usd: null,
    budget_usd_per_task: null,
    budget_usd_per_day: null,
    max_continuations: 5,
    queue_attempts: 3,
    parallel: 1,
    open_prs: 1,
    runs_per_day: 10,
  },
  pricing: {},
  tests: { order: "tests_last", may_change: [] },
  proof: {
    census: "require",
    originals: "require",
    controls: "require",
    red_first: "ask",
    witness: "require",
    witness_hunks: 8,
    witness_minutes: null,
    may_change: [],
  },
  breaker: { max_consecutive_failures: 3, backoff: 1, backoff_max: 60 },
  protect: { allow: [], max_files: 300, max_patch_bytes: 4_194_304, max_file_bytes: 1_048_576 },
  sandbox: {
    mode: "auto",
    network: { mode: "host", gates: "host", allow: [] },
    limits: { processes: 4096, memory_mb: null, disk_mb: 20_480, open_files: 65_536 },
    writable: [],
    env: [],
  },
  autopilot: {
    enabled: false,
    reports_dir: "./reports",
    report_patterns: ["*.md", "*.txt", "*.json", "*.html"],
    branch_prefix: "ralph/",
    create_pr: true,
    schedule_time: "02:00",
    analysis: { recent_days: 7 },
    prd: { mode: "autonomous", output_dir: "./tasks", auto_commit: true },
    tasks: { output: ".ralph/prd.json", min_count: 8, max_count: 15, auto_commit: true },
    memory: { progress: ".ralph/progress.txt", archive: ".ralph/archive" },
    research: {
      enabled: false,
      backend: { enabled: true, patterns: [] },
      frontend: { enabled: true, patterns: [] },
      web: { enabled: false, max_queries: 5 },
    },
  },
  git: { base_branch: "main", remote: "origin" },
  memory: { learnings: "propose" },
  pr: { enabled: true, images: "link", title_template: "Ralph: {priority_item}" },
  commits: "git",
  compat: { emit: [] },
  triggers: {
    label: "ralph",
    autopilot_label: "ralph:autopilot",
    commands: true,
    reports: true,
  },
};

test("the minimal configuration of the specification becomes a complete one", () => {
  expect(Config.parse(minimal)).toEqual(complete);
});

/** Keys without a default, which the complete configuration does not show. */
const unset = {
  ui: { agent_browser: { script: "" }, browser_use: { base_url: "" }, robot: { suite: "" } },
  agents: Object.fromEntries(
    agentRoles.map((role) => [role, { model: "", timeout: 0, command: "" }]),
  ),
  autopilot: { schedule: "", analysis: { provider: "", model: "" } },
  pr: { body_template: "" },
};

const pathsIn = (value: unknown): string[][] =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? [[]]
    : Object.entries(value).flatMap(([key, child]) => [
        [key],
        ...pathsIn(child).flatMap((below) => (below.length > 0 ? [[key, ...below]] : [])),
      ]);

test.each([...pathsIn(complete), ...pathsIn(unset)].map((path) => path.join(".")))(
  "%s is told when it is of a wrong type",
  (path) => {
    const wrong = structuredClone(complete);
    const steps = path.split(".");
    const above = steps.slice(0, -1).reduce<object>((node, key) => Reflect.get(node, key), wrong);
    Reflect.set(above, steps.at(-1) ?? "", [{}]);
    const errors = checkConfig(wrong).findings.filter(({ severity }) => severity === "error");
    expect(errors.map((error) => error.path.slice(0, steps.length).join("."))).toContain(path);
  },
);

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

test("the program that implements repairs too, unless another one is named", () => {
  const codex = { driver: "codex", model: "gpt", allowed_tools: ["x"] };
  const parse = (agents: object) => Config.parse({ ...minimal, agents }).agents;
  expect(parse({ implementation: codex })).toMatchObject({
    fix: { driver: "codex", model: "gpt", allowed_tools: [] },
    planning: { driver: "claude" },
    repair_planner: "fix",
  });
  expect(parse({ implementation: codex, fix: {}, planning: {} })).toMatchObject({
    fix: { driver: "claude" },
    repair_planner: "planning",
  });
});

test.each([{}, { implementation: { driver: "codex" } }, { fix: {}, planning: {} }])(
  "agents that are written to another file stay the same: %j",
  (agents) => {
    const parsed = Config.parse({ ...minimal, agents });
    const written = { ...parsed, agents: writtenAgents(parsed.agents) };
    expect(Config.parse(written)).toEqual(parsed);
  },
);
