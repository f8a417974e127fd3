import { type Checked, checkShape, conclude } from "../../../schema/base/check-shape.ts";
import { errorAt, type Finding, warningAt } from "../../../schema/base/finding.ts";
import { repeats } from "../../../schema/base/repeats.ts";
import { checkDependencies } from "../../../schema/tasks/check-dependencies.ts";
import {
  ClaudeRalphAgent,
  ClaudeRalphProgress,
  ClaudeRalphQueue,
  ClaudeRalphRetries,
  type ClaudeRalphTask,
} from "./index.ts";

/** A queue with its findings, such as a repeated task or a circular dependency (specs 001). */
export function checkQueue(value: unknown): Checked<ClaudeRalphQueue> {
  const shape = checkShape(ClaudeRalphQueue, value);
  return conclude(shape, shape.kind === "valid" ? queueFindings(shape.data) : []);
}

export function checkRetries(value: unknown): Checked<ClaudeRalphRetries> {
  const shape = checkShape(ClaudeRalphRetries, value);
  if (shape.kind === "invalid") return conclude(shape, []);
  const used = shape.data.retries.flatMap(({ attempt, max_retries }, at) =>
    attempt < max_retries
      ? []
      : warningAt(["retries", at, "attempt"], `is the last one of ${max_retries}`),
  );
  return conclude(shape, used);
}

export function checkProgress(value: unknown): Checked<ClaudeRalphProgress> {
  const isNew = isRecord(value) && value.phase === "initializing";
  const shape = checkShape(ClaudeRalphProgress, isNew ? { ...value, phase: firstPhase } : value);
  if (shape.kind === "invalid") return conclude(shape, []);
  const { agents, agents_active } = shape.data;
  const active = agents.filter(({ status }) => status === "active").length;
  const counted = active === agents_active ? [] : [`is not the number of active agents, ${active}`];
  const word = `is "initializing", which programs write before the first phase; it counts as "${firstPhase}"`;
  return conclude(shape, [
    ...repeatedIds("agents", agents),
    ...(isNew ? [warningAt(["phase"], word)] : []),
    ...counted.map((message) => warningAt(["agents_active"], message)),
  ]);
}

const firstPhase = "implementation";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

export function checkAgent(value: unknown): Checked<ClaudeRalphAgent> {
  return conclude(checkShape(ClaudeRalphAgent, value), []);
}

function queueFindings({ tasks }: ClaudeRalphQueue): Finding[] {
  const sketches = tasks.map(({ id, dependencies }) => ({
    id,
    dependsOn: dependencies,
    subtasks: [],
  }));
  return [
    ...repeatedIds("tasks", tasks),
    ...checkDependencies(sketches).map(renamed),
    ...tasks.flatMap((task, at) => taskFindings(task).map(below(at))),
    ...twoAtOnce(tasks),
  ];
}

/** The fields that a status requires (specs 001, rule 4). */
function taskFindings({ status, claimed_by, claimed_at, completed_at }: ClaudeRalphTask) {
  const isClaimed = status === "claimed";
  const isOver = status === "done" || status === "failed";
  return [
    ...(isClaimed && claimed_by === null
      ? [errorAt(["claimed_by"], "is null; a claimed task names its agent")]
      : []),
    ...(isClaimed && claimed_at === null
      ? [warningAt(["claimed_at"], "is null; a stale claim cannot be recognized")]
      : []),
    ...(isOver && completed_at === null
      ? [warningAt(["completed_at"], `is null; it is required for a task that is ${status}`)]
      : []),
    ...(status === "pending" && claimed_by !== null
      ? [warningAt(["claimed_by"], "names an agent, though the task is pending")]
      : []),
  ];
}

function twoAtOnce(tasks: readonly ClaudeRalphTask[]): Finding[] {
  const claims = tasks.map(({ status, claimed_by }) => (status === "claimed" ? claimed_by : null));
  return claims.flatMap((agent, at) =>
    agent !== null && claims.indexOf(agent) < at
      ? [warningAt(["tasks", at, "claimed_by"], `${agent} has another task too`)]
      : [],
  );
}

const repeatedIds = (list: string, entries: readonly { id: string }[]) =>
  repeats(entries, ({ id }) => id).map(({ item, index, first }) =>
    errorAt([list, index, "id"], `"${item.id}" is that of ${list}[${first}] too`),
  );

const below = (at: number) => (finding: Finding) => ({
  ...finding,
  path: ["tasks", at, ...finding.path],
});

const renamed = (finding: Finding): Finding => ({
  ...finding,
  path: finding.path.map((step) => (step === "dependsOn" ? "dependencies" : step)),
});
