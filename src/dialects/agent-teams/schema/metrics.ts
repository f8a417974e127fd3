import * as z from "zod";
import { checkShape } from "../../../schema/base/check-shape.ts";
import { Timestamp } from "../../../schema/base/fields.ts";
import type { Finding } from "../../../schema/base/finding.ts";

const count = z.int().min(0);

/** `.ralph/metrics.json` (specs 003). */
export const TeamMetrics = z
  .object({
    tasks_completed: count.describe("Tasks whose completion held"),
    tasks_failed: count.describe("Tasks that failed or are blocked"),
    tasks_pending: count.describe("Tasks that wait or are under way"),
    gates_passed: count.describe("Gate results that were green"),
    gates_failed: count.describe("Gate results that were red"),
    last_updated: Timestamp.describe("When a figure last changed"),
  })
  .meta({ title: "Agent Teams metrics", description: "Figures of all teammates, metrics.json" });
export type TeamMetrics = z.infer<typeof TeamMetrics>;

const Teammate = z.looseObject({ completed: count.optional(), failed: count.optional() });

/** Both formats in use, and files that mix them (compatibility 5). */
const Lenient = z.looseObject({
  tasks_completed: count.optional(),
  tasks_failed: count.optional(),
  tasks_pending: count.optional(),
  gates_passed: count.optional(),
  gates_failed: count.optional(),
  total_tasks: count.optional(),
  successful_tasks: count.optional(),
  failed_tasks: count.optional(),
  per_teammate: z.record(z.string(), Teammate).optional(),
  last_updated: Timestamp.optional(),
});

/** The figures, and the completions of each teammate, which rotation counts. */
export type ReadMetrics = Partial<TeamMetrics> & {
  perTeammate: Readonly<Record<string, { completed: number; failed: number }>>;
};

/** All findings in the file's value. */
export function checkMetrics(value: unknown): Finding[] {
  const shape = checkShape(Lenient, value);
  return shape.kind === "invalid" ? shape.findings : [];
}

/** The file's figures by the names of the specification; undefined for an invalid file. */
export function readMetrics(value: unknown): ReadMetrics | undefined {
  const shape = checkShape(Lenient, value);
  if (shape.kind === "invalid") return undefined;
  const { total_tasks, successful_tasks, failed_tasks, per_teammate = {}, ...rest } = shape.data;
  const { tasks_completed = successful_tasks, tasks_failed = failed_tasks } = rest;
  const perTeammate = Object.entries(per_teammate).map(
    ([name, { completed = 0, failed = 0 }]) => [name, { completed, failed }] as const,
  );
  return {
    ...known(rest),
    ...(tasks_completed !== undefined && { tasks_completed }),
    ...(tasks_failed !== undefined && { tasks_failed }),
    perTeammate: Object.fromEntries(perTeammate),
  };
}

type Known = Pick<z.infer<typeof Lenient>, keyof TeamMetrics>;

function known(data: Known): Partial<TeamMetrics> {
  const names = Object.keys(TeamMetrics.shape) as (keyof TeamMetrics)[];
  const present = names.filter((name) => data[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, data[name]]));
}

/** The figures on one line, for the summary at the end. */
export function metricsLine(metrics: TeamMetrics): string {
  const { tasks_failed, tasks_pending, gates_passed, gates_failed } = metrics;
  return `${tasks_failed} failed, ${tasks_pending} pending, gates ${gates_passed} passed and ${gates_failed} failed`;
}
