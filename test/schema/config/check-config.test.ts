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

test.each<[string, object, string]>([
  [
    "an integer version",
    { version: 1 },
    'version must be the text "1"; write version: "1", with the quotes',
  ],
  ["gates left empty", { gates: undefined }, "gates is empty; give it a value"],
  ["no full gates", { gates: { build: [] } }, "gates.full is missing; add it"],
  ["no base branch", { git: {} }, "git.base_branch is missing; add it"],
  [
    "an option as base branch",
    { git: { base_branch: "--force" } },
    "git.base_branch must be a branch name git accepts, such as main or release/1.0",
  ],
  [
    "a path outside",
    { task_source: { type: "prd_json", path: "a/../../b" } },
    'task_source.path must be a path inside the repository, without a leading "/", without ".." and not below ".git"',
  ],
  ["an unknown top key", { gate: {} }, 'gate is not a known key; did you mean "gates"?'],
  [
    "an unknown deep key",
    { gates: { full: [gate("a", { timout_seconds: 3 })] } },
    'gates.full[0].timout_seconds is not a known key; did you mean "timeout_seconds"?',
  ],
  ["a key like no other", { limits: { colour: 1 } }, "limits.colour is not a known key; remove it"],
  [
    "a gate name of two lines",
    { gates: { full: [gate("a\nb")] } },
    "gates.full[0].name must be one line without spaces around it",
  ],
  [
    "a gate limit beyond a day",
    { gates: { full: [gate("a", { timeout_seconds: "25h" })] } },
    'gates.full[0].timeout_seconds must be a time from 1 to 86400 seconds: whole seconds, or text such as "90s", "30m", "2h"',
  ],
  [
    "one gate name twice",
    { gates: { full: [gate("a"), gate("a")] } },
    'gates.full[1].name repeats "a"; give each its own name',
  ],
  [
    "one name, two commands",
    { gates: { build: [gate("a")], full: [gate("a", { cmd: "make" })] } },
    'gates.full[0].cmd differs from the gate "a" in gates.build; rename one of the two',
  ],
  [
    "one setup name twice",
    { setup: [gate("a"), gate("a")] },
    'setup[1].name repeats "a"; give each its own name',
  ],
  [
    "both services on one port",
    { services: { a: { port: 80, start: { dev: "x" } }, b: { port: 80, serve: { dev: "x" } } } },
    "services.b.port is 80, the port of services.a; use another port",
  ],
  [
    "a service nobody can start",
    { services: { a: { port: 80, start: {} } } },
    "services.a has no command to start it; add start.dev or serve.dev",
  ],
  [
    "a service name with a slash",
    { services: { "a/b": { port: 80, start: { dev: "x" } } } },
    'services["a/b"] is a name that may only hold a-z, 0-9, "_" and "-"',
  ],
  [
    "a service without port",
    { services: { a: { start: { dev: "x" } } } },
    "services.a.port is missing; add it",
  ],
  [
    "crossed counts",
    { autopilot: { tasks: { min_count: 16 } } },
    "autopilot.tasks.min_count is 16, more than max_count, which is 15",
  ],
  [
    "crossed pauses",
    { breaker: { backoff: "2m" } },
    "breaker.backoff is longer than breaker.backoff_max",
  ],
  [
    "no agent limit",
    { limits: { claude_timeout: 0 } },
    'limits.claude_timeout must be a time from 1 to 86400 seconds: whole seconds, or text such as "90s", "30m", "2h"',
  ],
  ["no iterations", { limits: { max_iterations: 0 } }, "limits.max_iterations must be at least 1"],
  ["a negative budget", { limits: { budget_usd: -1 } }, "limits.budget_usd must be at least 0"],
  [
    "a model with a space",
    { agents: { review: { model: "a b" } } },
    'agents.review.model must be one word that does not start with "-", such as haiku',
  ],
  [
    "an assignment as variable",
    { agents: { env: ["A=1"] } },
    "agents.env[0] must be the name of an environment variable",
  ],
  [
    "an unknown dialect",
    { compat: { emit: ["oma"] } },
    'compat.emit[0] must be "omx" or "omc" or "claude-ralph" or "agent-teams"',
  ],
  [
    "a relative cache",
    { sandbox: { writable: ["cache"] } },
    "sandbox.writable[0] must be an absolute path",
  ],
  [
    "an impossible time",
    { autopilot: { schedule_time: "24:00" } },
    'autopilot.schedule_time must be a time of day such as "02:00"',
  ],
  ["no test paths", { test_paths: [] }, "test_paths must not be empty"],
])("%s is an error", (_, changes, line) => {
  const value = config(changes);
  expect(checkConfig(value).data).toBeUndefined();
  expect(linesOf(value)).toEqual([`error: ${line}`]);
});

test("mistakes in several sections are found at once", () => {
  const value = config({
    limits: { parallel: "two" },
    gates: { full: [gate("a"), gate("a")] },
    autopilot: { tasks: { min_count: 30 } },
    agents: { fix: { modell: "x" } },
  });
  expect(linesOf(value)).toEqual([
    "error: limits.parallel must be a number, not text",
    'error: agents.fix.modell is not a known key; did you mean "model"?',
    'error: gates.full[1].name repeats "a"; give each its own name',
    "error: autopilot.tasks.min_count is 30, more than max_count, which is 15",
  ]);
});

describe("accepted", () => {
  test.each<[string, object]>([
    [
      "one name with one command on both levels",
      { gates: { build: [gate("a")], full: [gate("a")] } },
    ],
    ["a bare model alias", { agents: { review: { model: "haiku" } } }],
    ["equal counts", { autopilot: { tasks: { min_count: 15 } } }],
    ["a budget of zero", { limits: { budget_usd: 0 } }],
    ["a base branch with a dot", { git: { base_branch: "release/1.0" } }],
  ])("%s", (_, changes) => {
    expect(checkConfig(config(changes))).toMatchObject({ data: {}, findings: [] });
  });

  test.each<[string, object, string]>([
    [
      "a gate name of several words",
      { gates: { full: [gate("Type check (src)")] } },
      'gates.full[0].name is a name that other tools refuse; they accept a-z, 0-9, "_" and "-"',
    ],
    [
      "a gate limit beyond an hour",
      { gates: { full: [gate("a", { timeout_seconds: "61m" })] } },
      "gates.full[0].timeout_seconds is 3660 seconds; other tools accept 1 to 3600",
    ],
    [
      "a short agent limit",
      { limits: { claude_timeout: 59 } },
      "limits.claude_timeout is 59 seconds; other tools accept 60 to 7200",
    ],
    [
      "a role that may take three hours",
      { agents: { review: { timeout: "3h" } } },
      "agents.review.timeout is 10800 seconds; other tools accept 60 to 7200",
    ],
    [
      "a service that starts slowly",
      { services: { db: { start: { dev: "x" }, port: 1, timeout: 400 } } },
      "services.db.timeout is 400 seconds; other tools accept 1 to 300",
    ],
  ])("%s, with a warning", (_, changes, line) => {
    expect(checkConfig(config(changes)).data).toBeDefined();
    expect(linesOf(config(changes))).toEqual([`warning: ${line}`]);
  });

  test("gates of which none is fatal, with a warning", () => {
    const value = config({ gates: { full: [gate("a", { fatal: false })] } });
    expect(checkConfig(value).data).toBeDefined();
    expect(linesOf(value)).toEqual([
      "warning: gates.full has no fatal gate, so no command decides whether a task is done",
    ]);
  });
});
