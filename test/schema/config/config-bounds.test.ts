import { describe, expect, test } from "vitest";
import * as z from "zod";
import { Config } from "../../../src/schema/config/config.ts";

/** Every number of the format: path, smallest, largest, default (specs 004 2.3, compatibility 1.14, design 7). */
const numbers: [path: string, min: number, max: number | undefined, usual: number | null][] = [
  ["limits.claude_timeout", 1, 86_400, 1800],
  ["limits.max_iterations", 1, 1000, 30],
  ["limits.max_verification_attempts", 1, 50, 3],
  ["limits.post_verify_iterations", 1, 50, 10],
  ["limits.ui_fix_iterations", 1, 50, 10],
  ["limits.robot_fix_iterations", 1, 50, 10],
  ["limits.max_runtime", 1, 2_592_000, null],
  ["limits.budget_usd", 0, undefined, null],
  ["limits.budget_usd_per_task", 0, undefined, null],
  ["limits.budget_usd_per_day", 0, undefined, null],
  ["limits.max_continuations", 0, 100, 5],
  ["limits.queue_attempts", 1, 20, 3],
  ["limits.parallel", 1, 32, 1],
  ["limits.open_prs", 1, 50, 1],
  ["limits.runs_per_day", 0, 1000, 10],
  ["breaker.max_consecutive_failures", 1, 100, 3],
  ["breaker.backoff", 1, 3600, 1],
  ["breaker.backoff_max", 1, 3600, 60],
  ["protect.max_files", 1, undefined, 300],
  ["protect.max_patch_bytes", 1, undefined, 4 * 1024 ** 2],
  ["protect.max_file_bytes", 1, undefined, 1024 ** 2],
  ["ui.browser_use.timeout", 10, 600, 120],
  ["autopilot.analysis.recent_days", 1, 365, 7],
  ["autopilot.tasks.min_count", 1, 999, 8],
  ["autopilot.tasks.max_count", 1, 999, 15],
  ["autopilot.research.web.max_queries", 1, 20, 5],
];

const Tree = z.record(z.string(), z.unknown());

function nested(path: string, value: unknown): Record<string, unknown> {
  const [key = "", ...rest] = path.split(".");
  return { [key]: rest.length > 0 ? nested(rest.join("."), value) : value };
}

const valueAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce((node, key) => Tree.parse(node)[key], value);

const minimal = {
  version: "1",
  task_source: { type: "prd_json", path: ".ralph/prd.json" },
  gates: { full: [] },
  git: { base_branch: "main" },
};

const read = (path: string, value: unknown) =>
  Config.safeParse({ ...minimal, ...nested(path, value) });

describe.each(numbers)("%s", (path, min, max, usual) => {
  test("has its default", () => {
    expect(valueAt(Config.parse(minimal), path)).toBe(usual);
  });

  test("takes its bounds and nothing beyond", () => {
    expect(valueAt(read(path, min).data, path)).toBe(min);
    expect(read(path, min - 1).success).toBe(false);
    if (max === undefined) return;
    expect(valueAt(read(path, max).data, path)).toBe(max);
    expect(read(path, max + 1).success).toBe(false);
  });
});

const inLists: [string, (value: number) => object, number, number][] = [
  [
    "a gate's timeout_seconds",
    (timeout_seconds) => ({ gates: { full: [{ name: "a", cmd: "x", timeout_seconds }] } }),
    1,
    86_400,
  ],
  [
    "a setup step's timeout_seconds",
    (timeout_seconds) => ({ setup: [{ name: "a", cmd: "x", timeout_seconds }] }),
    1,
    7200,
  ],
  ["an agent's timeout", (timeout) => ({ agents: { planning: { timeout } } }), 1, 86_400],
  ["a service's port", (port) => ({ services: { a: { port, start: { dev: "x" } } } }), 1, 65_535],
  [
    "a service's timeout",
    (timeout) => ({ services: { a: { port: 1, start: { dev: "x" }, timeout } } }),
    1,
    86_400,
  ],
];

test.each(inLists)("%s takes its bounds and nothing beyond", (_, place, min, max) => {
  const isRead = (value: number) => Config.safeParse({ ...minimal, ...place(value) }).success;
  expect([min, max].map(isRead)).toEqual([true, true]);
  expect([min - 1, max + 1].map(isRead)).toEqual([false, false]);
});

test.each<[string, string, unknown]>([
  ["task_source.type", "markdown", undefined],
  ["sandbox.mode", "on", "auto"],
  ["sandbox.network.mode", "open", "host"],
  ["sandbox.network.gates", "open", "host"],
  ["agents.credentials", "none", "passed"],
  ["commits", "gh", "git"],
  ["autopilot.schedule", "monthly", undefined],
  ["autopilot.prd.mode", "manual", "autonomous"],
  ["autopilot.analysis.provider", "bedrock", undefined],
])("%s is one of its words, not %j; its default is %j", (path, word, usual) => {
  expect(read(path, word).success).toBe(false);
  if (usual !== undefined) expect(valueAt(Config.parse(minimal), path)).toBe(usual);
});
