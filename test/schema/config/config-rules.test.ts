import { describe, expect, test } from "vitest";
import { renderPath } from "../../../src/schema/base/finding.ts";
import { checkConfig } from "../../../src/schema/config/check-config.ts";

const gate = (name: string, changes: object = {}) => ({ name, cmd: `npm run ${name}`, ...changes });

const config = (changes: object = {}) => ({
  version: "1",
  task_source: { type: "prd_json", path: ".ralph/prd.json" },
  gates: { full: [gate("test")] },
  git: { base_branch: "main" },
  ...changes,
});

const linesOf = (value: unknown) =>
  checkConfig(value).findings.map(
    ({ severity, path, message }) => `${severity}: ${renderPath(path)} ${message}`,
  );

const service = (changes: object) => ({ services: { web: { port: 80, ...changes } } });

test.each<[string, object, string]>([
  [
    "a gate that is a criterion",
    { gates: { full: [gate("a", { cmd: "Run `npm test` - exits with code 0" })] } },
    "gates.full[0].cmd is a criterion, not a command; write npm test",
  ],
  [
    "a mutation gate without its report",
    { gates: { full: [gate("a", { kind: "mutation" })] } },
    "gates.full[0].kind needs `report`, the JSON file that the tool writes",
  ],
  [
    "a report that nothing reads",
    { gates: { full: [gate("a", { report: "mutation.json" })] } },
    "gates.full[0].report is read with `kind: mutation` only; add that",
  ],
  [
    "a service whose commands are left empty",
    service({ start: { dev: undefined }, serve: {} }),
    "services.web has no command to start it; add start.dev or serve.dev",
  ],
  [
    "one environment with two commands",
    service({ start: { dev: "a" }, serve: { dev: "b", prod: "c" } }),
    "services.web.serve.dev is set in addition to start.dev; keep one",
  ],
  [
    "browser tests without any",
    { ui: { agent_browser: { enabled: true } } },
    "ui.agent_browser is enabled but has nothing to run; add script or tests",
  ],
  [
    "one name for two browser tests",
    {
      ui: {
        agent_browser: { tests: ["open", "open /a"].map((action) => ({ name: "x", action })) },
      },
    },
    'ui.agent_browser.tests[1].name repeats "x"; give each its own name',
  ],
  [
    "Robot Framework without a suite",
    { ui: { robot: { enabled: true } } },
    "ui.robot is enabled but has nothing to run; add suite",
  ],
  [
    "a pattern where one file is meant",
    { task_source: { type: "prd_json", path: "plans/*.json" } },
    "task_source.path is a pattern; prd_json needs the name of one file",
  ],
  [
    "Markdown as JSON",
    { task_source: { type: "prd_json", path: "changes/CR-1.md" } },
    "task_source.path is a Markdown file; set type: cr_markdown",
  ],
  [
    "JSON as Markdown",
    { task_source: { type: "cr_markdown", path: ".ralph/prd.json" } },
    "task_source.path is not a Markdown file (.md), which cr_markdown needs; or set prd_json",
  ],
  [
    "a path into git's folder",
    { autopilot: { memory: { archive: "a/.GIT/hooks" } } },
    'autopilot.memory.archive must be a path inside the repository, without a leading "/", without ".." and not below ".git"',
  ],
  [
    "a log in the task list",
    { autopilot: { memory: { progress: "./.ralph/prd.json" } } },
    "autopilot.memory.progress is .ralph/prd.json, which is another file of ralph; give the progress log its own",
  ],
  [
    "a pattern from the root of the machine",
    { test_paths: ["/tests/**"] },
    'test_paths[0] is "/tests/**", which matches no file; write it from the project root, with "/"',
  ],
  [
    "a condition above the project",
    { gates: { full: [gate("a", { when: "../package.json" })] } },
    'gates.full[0].when is "../package.json", which matches no file; write it from the project root, with "/"',
  ],
  [
    "a pattern with backslashes",
    { protect: { allow: ["docs\\api"] } },
    'protect.allow[0] is "docs\\api", which matches no file; write it from the project root, with "/"',
  ],
  [
    "a writable machine",
    { sandbox: { writable: ["//"] } },
    "sandbox.writable[0] is the whole machine; name the folders that must stay writable",
  ],
  [
    "a writable folder that climbs",
    { sandbox: { writable: ["/a/../b"] } },
    'sandbox.writable[0] must not hold ".."',
  ],
  [
    "a full reference as base branch",
    { git: { base_branch: "refs/heads/main" } },
    "git.base_branch must be the short name; write main",
  ],
  [
    "HEAD as base branch",
    { git: { base_branch: "HEAD" } },
    "git.base_branch must be the name of a branch; write main",
  ],
  [
    "one label for two things",
    { triggers: { label: "Ralph:Autopilot" } },
    'triggers.autopilot_label is "ralph:autopilot", the same as triggers.label; use two labels',
  ],
  [
    "a title of two lines",
    { pr: { title_template: "a\nb" } },
    "pr.title_template must be one line",
  ],
  [
    "a quoted number",
    { limits: { max_iterations: "30" } },
    "limits.max_iterations must be a number, not text; remove the quotes",
  ],
  [
    "a number as text",
    { triggers: { label: 7 } },
    "triggers.label must be text, not 7; put it in quotes",
  ],
  [
    "a key of another section",
    { maxIterations: 3 },
    'maxIterations is not a known key; did you mean "limits.max_iterations"?',
  ],
])("%s is an error", (_, changes, line) => {
  const value = config(changes);
  expect(checkConfig(value).data).toBeUndefined();
  expect(linesOf(value)).toEqual([`error: ${line}`]);
});

test.each<[string, object, string]>([
  [
    "a model of somebody else",
    { agents: { review: { model: "gpt-5" } } },
    'agents.review.model is "gpt-5", not the name of a Claude model; the driver "claude" may refuse it',
  ],
  [
    "a list of tools that is not kept",
    { agents: { review: { driver: "codex", allowed_tools: ["Read"] } } },
    'agents.review.allowed_tools is ignored: the driver "codex" cannot be given a list of tools; remove it, or use the driver "claude"',
  ],
  [
    "a budget that cannot be reached",
    { limits: { budget_usd: 5, budget_usd_per_task: 6 } },
    "limits.budget_usd_per_task is more than limits.budget_usd, so it is never reached",
  ],
  [
    "a run shorter than a call",
    { limits: { max_runtime: "10m" } },
    "limits.max_runtime is shorter than limits.claude_timeout (1800 s), the time of one agent call",
  ],
  [
    "a list nobody reads",
    { autopilot: { enabled: true, tasks: { output: "tasks.json" } } },
    "autopilot.tasks.output is tasks.json, but `ralph run` reads task_source.path, which is .ralph/prd.json",
  ],
  [
    "a schedule that starts nothing",
    { autopilot: { schedule: "daily" } },
    "autopilot.schedule starts nothing while autopilot.enabled is false",
  ],
  [
    "every file as a test",
    { test_paths: ["**/*"] },
    "test_paths[0] lets the test-writing agent change every file",
  ],
  [
    "no protection",
    { protect: { allow: ["**"] } },
    "protect.allow[0] lets agents change every protected file",
  ],
  [
    "a remote's branch",
    { git: { base_branch: "origin/main" } },
    'git.base_branch begins with the name of the remote; is "main" meant?',
  ],
  [
    "a misspelt placeholder",
    { pr: { body_template: "{descripton}" } },
    "pr.body_template holds {descripton}, which stays as it is; did you mean {description}?",
  ],
])("%s is a warning", (_, changes, line) => {
  const value = config(changes);
  expect(checkConfig(value).data).toBeDefined();
  expect(linesOf(value)).toEqual([`warning: ${line}`]);
});

describe("nothing is said about", () => {
  test.each<[string, object]>([
    ["a change request by pattern", { task_source: { type: "cr_markdown", path: "c/CR-*.md" } }],
    ["models of gateways and clouds", { agents: { fix: { model: "us.anthropic.claude-opus-4" } } }],
    ["an alias with a window", { agents: { fix: { model: "sonnet[1m]" } } }],
    ["models of other drivers", { agents: { fix: { model: "gpt-5", driver: "command" } } }],
    ["escaped brackets in a pattern", { test_paths: ["app/\\[id\\]/**"] }],
    ["exclusions in a pattern", { test_paths: ["tests/**", "!tests/fixtures/**"] }],
    ["code in braces", { pr: { body_template: "{} {a: 1} {description}" } }],
    ["a budget alone", { limits: { budget_usd_per_task: 6 } }],
  ])("%s", (_, changes) => {
    expect(linesOf(config(changes))).toEqual([]);
  });
});

test("one broken section hides no rule of another", () => {
  const value = config({
    gates: { full: "x" },
    triggers: { label: "a", autopilot_label: "A" },
    ui: { robot: { enabled: true } },
  });
  expect(linesOf(value)).toEqual([
    "error: gates.full must be a list, not text",
    "error: ui.robot is enabled but has nothing to run; add suite",
    'error: triggers.autopilot_label is "A", the same as triggers.label; use two labels',
  ]);
});

describe("a configuration of another program is one error", () => {
  test.each<[string, object]>([
    ["mikeyobrien/ralph-orchestrator", { cli: { backend: "claude" }, event_loop: {} }],
    ["compound-product", { reportsDir: "./reports", qualityChecks: [] }],
    ["GitHub Actions", { name: "CI", on: "push", jobs: {} }],
    ["Docker Compose", { version: "3", services: {}, volumes: {} }],
    ["another program", { colour: "blue" }],
  ])("%s", (product, value) => {
    expect(linesOf(value)).toEqual([
      `error: the document holds none of task_source, gates and git, so it belongs to ${product}; move it elsewhere and run \`ralph init\``,
    ]);
  });

  test("but not when only a key of ralph's is misspelt, or everything is missing", () => {
    expect(linesOf({ gats: {} })).toContain(
      'error: gats is not a known key; did you mean "gates"?',
    );
    expect(linesOf({})).toContain("error: git is missing; add it");
  });
});
