import type { ForeignTree } from "../dialect.ts";
import { parseRecord } from "../json-text.ts";
import { noFailure, readFailures } from "./schema/failures.ts";
import { readMetrics } from "./schema/metrics.ts";
import { failuresPath, metricsPath } from "./team-counters.ts";
import { openTasks } from "./team-tasks.ts";

export type Idle = { kind: "rests" | "rotates" | "works"; message: string };

type Limits = { maxFailures: number; maxTasks: number };

/** Whether an idle teammate may stop: abort file, circuit breaker, rotation, then open tasks (compatibility 5). */
export function decideIdle(tree: ForeignTree, name: string, limits: Limits): Idle {
  if (tree.has(".ralph/ABORT")) return { kind: "rests", message: ".ralph/ABORT is there" };
  const failure = failureOf(tree, name);
  const inRow = failure.consecutive_failures;
  if (inRow >= limits.maxFailures) {
    const message = `${name} has failed ${inRow} times in a row; the circuit breaker is open. \`ralph status --reset-breaker\` closes it`;
    return { kind: "rests", message };
  }
  const completed = Math.max(failure.total_successes, completedOf(tree, name));
  if (limits.maxTasks > 0 && completed >= limits.maxTasks) {
    const message = `${name} has completed ${completed} of ${limits.maxTasks} tasks; another teammate continues`;
    return { kind: "rotates", message };
  }
  const open = openTasks(tree).length;
  if (open === 0) return { kind: "rests", message: "no task is open" };
  return {
    kind: "works",
    message: `${open} tasks are open. Read .ralph/guardrails.md again, then take the next task.`,
  };
}

const failureOf = (tree: ForeignTree, name: string) =>
  readFailures(parseRecord(tree.get(failuresPath)) ?? {})?.[name] ?? noFailure;

const completedOf = (tree: ForeignTree, name: string) =>
  readMetrics(parseRecord(tree.get(metricsPath)) ?? {})?.perTeammate[name]?.completed ?? 0;

/** The handoff note for the next teammate; its author may add to it. */
export function renderHandoff(tree: ForeignTree, name: string, { message }: Idle): string {
  const { last_failure, total_failures } = failureOf(tree, name);
  const open = openTasks(tree);
  const rows = open.length > 0 ? open.map((file) => `- ${file}\n`).join("") : "- none\n";
  return `# Handoff: ${name}

${message}.

## Open Tasks
${rows}
## Warnings
- ${total_failures} completions were rejected${last_failure === null ? "" : `; the last one: ${last_failure}`}
- Lessons of all teammates are in .ralph/guardrails.md
`;
}
