import type { Fact } from "../../../src/core/state/event.ts";
import {
  agentEnd,
  criteriaEnd,
  failed,
  gateEnd,
  passing,
  start,
} from "../../support/builders/session.ts";

const output = { sha256: "d".repeat(64), bytes: 10 };
const until = "2026-01-25T15:00:00.000Z";

/** A session of tasks T-001 to T-003 in which everything happens that can happen. */
export const everyFact: readonly Fact[] = [
  { type: "setup_end", name: "install", status: "passed", ms: 1200, output },
  start("T-001"),
  {
    type: "agent_start",
    task: "T-001",
    role: "implementation",
    iteration: 1,
    driver: "claude",
    model: "opus",
    prompt: output,
  },
  agentEnd("T-001", {
    outcome: { kind: "failed", class: "infrastructure", message: "exit code 1" },
    signal: { kind: "missing" },
    output,
  }),
  { type: "wait", because: "backoff", ms: 2000, until },
  agentEnd("T-001", { outcome: { kind: "limited", message: "limit reached" }, output }),
  { type: "wait", because: "limit", ms: 1_740_000, until },
  agentEnd("T-001", {
    refused: [".github/workflows/ci.yml"],
    usage: { cost_usd: 0.25, turns: 4 },
    ms: 252_000,
    output,
  }),
  agentEnd("T-001", { role: "test_writing", signal: { kind: "wrong-token", name: "tests-done" } }),
  gateEnd("T-001", { level: "build", gate: "types", key: "key-types", ms: 4520 }),
  gateEnd("T-001", { status: "failed", detail: "2 of 14 tests failed", output }),
  {
    type: "baseline_end",
    gate: "test",
    key: "key-test",
    tree: "t0",
    status: "passed",
    fingerprints: [],
    ms: 5,
  },
  failed("T-001", "gate", { feedback: "test failed:\n\x1b[31mexpected 1\x1b[0m" }),
  criteriaEnd("T-001", "failed"),
  { type: "subtask_passed", task: "T-001", subtask: "T-001.1", tree: "t1" },
  { type: "work_kept", tree: "f1".repeat(20) },
  { type: "steered", order: { verb: "budget", usd: 5, comment: 7, by: "ada" } },
  { type: "steered", order: { verb: "skip", task: "T-9", by: "ada" }, refused: "There is no T-9." },
  { type: "session_resume", sandbox: "off", status_verified: true },
  { type: "recheck_end", commit: "c0".repeat(20), failures: [] },
  ...passing("T-001", { commit: "c1".repeat(20) }),
  start("T-002"),
  { type: "task_failed", task: "T-002", message: "No pass in 5 iterations", kept: "f2".repeat(20) },
  start("T-003"),
  { type: "work_kept", task: "T-003", tree: "f3".repeat(20) },
  { type: "task_blocked", task: "T-003", message: "No change in 3 iterations" },
  { type: "recheck_end", commit: "c1".repeat(20), failures: ["gate test"] },
  { type: "page_seen", task: "T-001", when: "before", tree: "t0", page: "/", picture: output },
  { type: "page_seen", task: "T-001", when: "after", tree: "t1", page: "/", picture: output },
  {
    ...{ type: "ui_test_end", test: "dashboard", framework: "browser", status: "failed" },
    ...{
      detail: 'the page has no "Save" after 5 s; nearest: button "Send"',
      ms: 5100,
      picture: output,
    },
  },
  {
    ...{ type: "verify_phase_end", phase: "browser", tree: "t1", status: "failed" },
    ...{ detail: "failed: dashboard", ms: 6000 },
  },
  {
    ...{ type: "fix_start", phase: "browser", iteration: 1, limit: 10, tree: "t1" },
    failure: "failed: dashboard\ndashboard: no tab is named Dashboard",
  },
  {
    ...{ type: "fix_call_start", phase: "browser", iteration: 1, role: "planning" },
    ...{ driver: "claude", model: "opus", prompt: output },
  },
  {
    ...{ type: "fix_call_end", phase: "browser", iteration: 1, role: "planning", tree: "t1" },
    outcome: { kind: "answered" },
    signal: { kind: "valid", name: "plan", body: "index.html lacks the tab" },
    ...{ refused: [], usage: { cost_usd: 0.05 }, ms: 9000, output },
  },
  {
    ...{ type: "fix_call_end", phase: "browser", iteration: 1, role: "fix", tree: "t2" },
    outcome: { kind: "answered" },
    signal: { kind: "valid", name: "fix-done", body: "the tab is there" },
    ...{ refused: ["tests/a.test.ts"], usage: { cost_usd: 0.1 }, ms: 9000, output },
  },
  {
    ...{ type: "fix_checked", tree: "t2", findings: [], failures: [] },
    gates: [gateEnd("", { tree: "t2" })],
    criteria: [criteriaEnd("T-001", "proved", "t2"), criteriaEnd("T-002", "to_judge", "t2")],
  },
  { type: "verify_start", tree: "t2" },
  {
    ...{ type: "fix_end", phase: "browser", iteration: 1, tree: "t2", outcome: "kept" },
    ...{ detail: "Verified: services, browser.", parent: "c1" },
    files: [{ status: "M", path: "index.html" }],
  },
  { type: "fix_committed", commit: "f1".repeat(20), tree: "t2" },
  { type: "warning", message: "no fatal gate ran" },
  { type: "tampering", path: "task-status.json", message: "task-status.json was changed" },
  { type: "session_end", reason: "tampering", message: "task-status.json was changed" },
];
