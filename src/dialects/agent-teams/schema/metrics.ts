import * as z from "zod";
import { Timestamp } from "../../../schema/base/fields.ts";
import { checkBy } from "../../json-text.ts";

const count = z.int().min(0);

/** `.ralph/metrics.json` (specs 003). */
export const TeamMetrics = z
  .object({
    tasks_completed: count.describe("Tasks whose completion held"),
    tasks_failed: count.describe("Tasks that failed or are blocked"),
    tasks_pending: count.describe("Tasks that are pending or in progress"),
    gates_passed: count.describe("Gate results that were green"),
    gates_failed: count.describe("Gate results that were red"),
    last_updated: Timestamp.describe("When a figure last changed"),
  })
  .meta({ title: "Agent Teams metrics", description: "Figures of all teammates, metrics.json" });
export type TeamMetrics = z.infer<typeof TeamMetrics>;

/** The figures of the specification; other keys are left out. */
const Figures = TeamMetrics.partial();

const Teammate = z.looseObject({ completed: count.optional(), failed: count.optional() });

/** Both formats in use, and files that mix them (compatibility 5). */
const Lenient = z.looseObject({
  ...Figures.shape,
  total_tasks: count.optional(),
  successful_tasks: count.optional(),
  failed_tasks: count.optional(),
  per_teammate: z.record(z.string(), Teammate).optional(),
});

/** The figures, and the completions of each teammate, which rotation counts. */
type ReadMetrics = z.infer<typeof Figures> & {
  perTeammate: Readonly<Record<string, { completed: number; failed: number }>>;
};

export const checkMetrics = checkBy(Lenient);

/** The file's figures by the names of the specification; undefined for an invalid file. */
export function readMetrics(value: unknown): ReadMetrics | undefined {
  const { data } = checkMetrics(value);
  if (!data) return undefined;
  const { successful_tasks, failed_tasks, per_teammate = {}, ...rest } = data;
  const { tasks_completed = successful_tasks, tasks_failed = failed_tasks } = rest;
  const perTeammate = Object.entries(per_teammate).map(
    ([name, { completed = 0, failed = 0 }]) => [name, { completed, failed }] as const,
  );
  return {
    ...Figures.parse(rest),
    ...(tasks_completed !== undefined && { tasks_completed }),
    ...(tasks_failed !== undefined && { tasks_failed }),
    perTeammate: Object.fromEntries(perTeammate),
  };
}
