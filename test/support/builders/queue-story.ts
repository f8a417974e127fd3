import { apply } from "../../../src/core/state/apply.ts";
import type { Fact, FactOf } from "../../../src/core/state/event.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import type { DialectInput, ForeignFile } from "../../../src/dialects/dialect.ts";
import { configWith } from "./config.ts";
import {
  agentEnd,
  criteriaEnd,
  events,
  failed,
  gateEnd,
  reviewed,
  sessionStart,
  start,
  task,
  testsDone,
} from "./session.ts";

export const given: DialectInput = {
  config: configWith({ limits: { parallel: 2, budget_usd: 5 } }),
  root: "/project",
  process: { pid: 4242, startTicks: 77, platform: "linux" },
};

export const queueTasks = [
  task("T-001"),
  task("T-002", { priority: 1 }),
  task("T-003", { dependsOn: ["T-001"] }),
];

export const claimed = (id: string, worker: string): Fact => ({
  type: "task_claimed",
  task: id,
  worker,
  base: "c0",
});

export const called = (id: string, role: FactOf<"agent_start">["role"]): Fact => ({
  type: "agent_start",
  task: id,
  role,
  iteration: 1,
  driver: "claude",
  prompt: { sha256: "e".repeat(64), bytes: 0 },
});

const cost = { cost_usd: 0.1, turns: 3 };

/** A whole pass of a worker, with every call as it begins and ends. */
export function worked(id: string, worker: string, tree = `tree-${id}`): Fact[] {
  return [
    claimed(id, worker),
    start(id),
    called(id, "implementation"),
    agentEnd(id, { tree, usage: cost }),
    called(id, "test_writing"),
    { ...testsDone(id, tree), usage: cost },
    gateEnd(id, { tree }),
    criteriaEnd(id, "to_judge", tree),
    called(id, "review"),
    reviewed(id, "review-approved", tree),
    { type: "task_passed", task: id, tree, parent: "c0", files: [], already_satisfied: false },
    { type: "task_committed", task: id, commit: `c-${id}`, tree: `${tree}+` },
  ];
}

const gaveUp = (id: string, worker: string): Fact[] => [
  claimed(id, worker),
  start(id),
  called(id, "implementation"),
  agentEnd(id, { tree: "t1", usage: cost }),
  failed(id, "gate"),
  { type: "task_failed", task: id, message: "no pass after 1 iteration" },
];

const resumed: Fact = { type: "session_resume", sandbox: "off", queue_attempts: 3 };
const ended = (reason: FactOf<"session_end">["reason"]): Fact => ({
  type: "session_end",
  reason,
  message: reason,
});

/** Two workers; one task fails three times, a crash in between, and the third part ends with what is left. */
export const queueStory: Fact[] = [
  claimed("T-001", "agent-1"),
  ...gaveUp("T-002", "agent-2"),
  ...worked("T-001", "agent-1").slice(1),
  ended("task_failed"),
  resumed,
  // Killed in the midst of a call.
  ...gaveUp("T-002", "agent-1").slice(0, 3),
  resumed,
  ...gaveUp("T-002", "agent-2"),
  ...worked("T-003", "agent-2"),
  ended("task_failed"),
  resumed,
  ...gaveUp("T-002", "agent-1"),
  ended("task_failed"),
];

/** The states of a session, one an event. */
export function stepsOf(facts: readonly Fact[], tasks = queueTasks): SessionState[] {
  const runs: SessionState[] = [];
  for (const event of events([sessionStart(tasks), ...facts])) runs.push(apply(runs.at(-1), event));
  return runs;
}

/** What stands there after a file was written. */
export function putFile(tree: Map<string, string>, file: ForeignFile): void {
  const before = tree.get(file.path);
  const answer = "text" in file ? (file.text ?? null) : file.merge(before);
  if (answer === null) tree.delete(file.path);
  else if (answer !== undefined) tree.set(file.path, answer);
}
