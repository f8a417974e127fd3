import type { Checked } from "../../../schema/base/check-shape.ts";
import { errorAt, type Finding, warningAt } from "../../../schema/base/finding.ts";
import { repeats } from "../../../schema/base/repeats.ts";
import { checkDependencies } from "../../../schema/tasks/check-dependencies.ts";
import { checkBy } from "../../json-text.ts";
import {
  ClaudeRalphAgent,
  ClaudeRalphProgress,
  ClaudeRalphQueue,
  ClaudeRalphRetries,
  type ClaudeRalphTask,
} from "./index.ts";

/** A queue with its findings, such as a repeated task or a circular dependency (specs 001). */
export const checkQueue = checkBy(ClaudeRalphQueue, ({ tasks }) => {
  const sketches = tasks.map(({ id, dependencies: dependsOn }) => ({
    id,
    dependsOn,
    subtasks: [],
  }));
  return [
    ...repeatedIds("tasks", tasks),
    ...checkDependencies(sketches).map(renamed),
    ...tasks.flatMap((task, at) => taskFindings(task).map(below(at))),
    ...twoAtOnce(tasks),
  ];
});

export const checkRetries = checkBy(ClaudeRalphRetries, ({ retries }) =>
  retries.flatMap(({ attempt, max_retries: max }, at) =>
    attempt < max ? [] : warningAt(["retries", at, "attempt"], `is the last one of ${max}`),
  ),
);

const firstPhase = "implementation";

/** Programs write "initializing" before the first phase. */
export function checkProgress(value: unknown): Checked<ClaudeRalphProgress> {
  const isNew = (Object(value) as { phase?: unknown }).phase === "initializing";
  const word = `is "initializing", which programs write before the first phase; it counts as "${firstPhase}"`;
  const check = checkBy(ClaudeRalphProgress, ({ agents, agents_active }) => {
    const active = agents.filter(({ status }) => status === "active").length;
    const wrong = `is not the number of active agents, ${active}`;
    return [
      ...repeatedIds("agents", agents),
      isNew ? warningAt(["phase"], word) : [],
      active === agents_active ? [] : warningAt(["agents_active"], wrong),
    ].flat();
  });
  return check(isNew ? { ...Object(value), phase: firstPhase } : value);
}

export const checkAgent = checkBy(ClaudeRalphAgent);

/** The fields that a status requires (specs 001, rule 4). */
function taskFindings({ status, claimed_by, claimed_at, completed_at }: ClaudeRalphTask) {
  const isClaimed = status === "claimed";
  const isOver = status === "done" || status === "failed";
  return [
    isClaimed && claimed_by === null
      ? errorAt(["claimed_by"], "is null; a claimed task names its agent")
      : [],
    isClaimed && claimed_at === null
      ? warningAt(["claimed_at"], "is null; a stale claim cannot be recognized")
      : [],
    isOver && completed_at === null
      ? warningAt(["completed_at"], `is null; it is required for a task that is ${status}`)
      : [],
    status === "pending" && claimed_by !== null
      ? warningAt(["claimed_by"], "names an agent, though the task is pending")
      : [],
  ].flat();
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
