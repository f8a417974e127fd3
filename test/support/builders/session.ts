import { noBudgets } from "../../../src/core/decide/budget.ts";
import type { GateRule, Policy } from "../../../src/core/decide/policy.ts";
import type { ProofSettings } from "../../../src/core/proof/settings.ts";
import { apply } from "../../../src/core/state/apply.ts";
import type { Fact, FactOf, RunEvent, RunTask } from "../../../src/core/state/event.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";

/** A valid task; override what matters. */
export function task(id: string, more: Partial<RunTask> = {}): RunTask {
  return {
    id,
    title: `Title of ${id}`,
    description: "What to do and why",
    acceptanceCriteria: ["It works"],
    priority: Number(id.slice(2)),
    passes: false,
    ...more,
  };
}

const started = Date.parse("2026-01-25T14:30:52.000Z");

/** Dates and numbers facts one second apart, as the journal would (the chain is not checked here). */
export function events(facts: readonly Fact[]): RunEvent[] {
  return facts.map((fact, index) => ({
    seq: index + 1,
    ts: new Date(started + index * 1000).toISOString(),
    prev: "0".repeat(64),
    ...fact,
  }));
}

export function sessionStart(
  tasks: RunTask[],
  more: Partial<FactOf<"session_start">> = {},
): FactOf<"session_start"> {
  return {
    type: "session_start",
    format: 1,
    session_id: "20260125-143052-a7b3c9",
    source: { type: "prd_json", path: ".ralph/prd.json" },
    project: "Example",
    description: "An example project",
    config_path: ".ralph/ralph.yml",
    branch: "ralph/example",
    start: { commit: "c0", tree: "t0" },
    tasks,
    selected: tasks.map(({ id }) => id),
    sandbox: "off",
    versions: {},
    ...more,
  };
}

/** The state after these facts. */
export function runOf(tasks: RunTask[], facts: readonly Fact[] = []): SessionState {
  const all = events([sessionStart(tasks), ...facts]);
  const state = all.reduce<SessionState | undefined>(apply, undefined);
  if (!state) throw new Error("unreachable: the first event makes a run");
  return state;
}

/** The proof of the work asks for runs and questions of its own; tests of other things leave it off. */
const noProofSettings: ProofSettings = {
  levels: { census: "off", originals: "off", controls: "off", red_first: "off", witness: "off" },
  witnessHunks: 0,
};

export function policy(more: Partial<Policy> = {}): Policy {
  return {
    parallel: 1,
    maxIterations: 5,
    maxVerificationAttempts: 3,
    maxSameFailures: 3,
    env: "dev",
    breaker: { maxConsecutiveFailures: 3, backoffMs: 1000, backoffMaxMs: 60_000 },
    level: "build",
    gates: { build: [], full: [rule("test")] },
    setup: [],
    keepGoing: false,
    deadlines: [],
    proof: noProofSettings,
    budgets: noBudgets,
    ...more,
  };
}

export const rule = (name: string, more: Partial<GateRule> = {}): GateRule => ({
  name,
  key: `key-${name}`,
  fatal: true,
  redBefore: "end" as const,
  ...more,
});

const nothing = { sha256: "e".repeat(64), bytes: 0 };

/** A finished agent call; by default a good implementation that changed the tree. */
export function agentEnd(id: string, more: Partial<FactOf<"agent_end">> = {}): FactOf<"agent_end"> {
  return {
    type: "agent_end",
    task: id,
    role: "implementation",
    iteration: 1,
    outcome: { kind: "answered" },
    signal: { kind: "valid", name: "task-done", body: "## Changes\n- did it" },
    subtasks_done: [],
    tree: "t1",
    refused: [],
    trespassed: [],
    ignored: [],
    usage: {},
    ms: 1000,
    output: nothing,
    ...more,
  };
}

export const testsDone = (id: string, tree = "t1") =>
  agentEnd(id, {
    role: "test_writing",
    tree,
    signal: { kind: "valid", name: "tests-done", body: "" },
  });

export const reviewed = (id: string, name = "review-approved", tree = "t1") =>
  agentEnd(id, { role: "review", tree, signal: { kind: "valid", name, body: "because" } });

export function gateEnd(id: string, more: Partial<FactOf<"gate_end">> = {}): FactOf<"gate_end"> {
  return {
    type: "gate_end",
    task: id,
    gate: "test",
    key: "key-test",
    level: "full",
    tree: "t1",
    status: "passed",
    detail: "",
    fingerprints: [],
    leftovers: [],
    ms: 10,
    ...more,
  };
}

export function criteriaEnd(
  id: string,
  verdict: "proved" | "held" | "failed" | "to_judge" = "to_judge",
  tree = "t1",
): FactOf<"criteria_end"> {
  const result = { number: 1, text: "It works", kind: "judged", detail: "", verdict } as const;
  return { type: "criteria_end", task: id, tree, results: [result] };
}

export const start = (id: string, tree = "t0"): Fact => ({ type: "task_start", task: id, tree });

export function failed(
  id: string,
  because: FactOf<"iteration_failed">["because"],
  more: Partial<FactOf<"iteration_failed">> = {},
): FactOf<"iteration_failed"> {
  return {
    type: "iteration_failed",
    task: id,
    iteration: 1,
    because,
    feedback: "what went wrong",
    fingerprint: because,
    tree: "t1",
    ...more,
  };
}

/** Everything a task needs to pass, up to the commit. */
export function passing(id: string, { base = "t0", tree = "t1", commit = "c1" } = {}): Fact[] {
  return [
    start(id, base),
    agentEnd(id, { tree }),
    testsDone(id, tree),
    gateEnd(id, { tree }),
    criteriaEnd(id, "to_judge", tree),
    reviewed(id, "review-approved", tree),
    { type: "task_passed", task: id, tree, parent: "c0", files: [], already_satisfied: false },
    { type: "task_committed", task: id, commit, tree: `${tree}+` },
  ];
}
