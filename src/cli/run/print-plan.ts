import { parallelSteps } from "../../core/decide/parallel-steps.ts";
import type { Project } from "../../session/open/open-project.ts";
import { counted } from "../../text/figures.ts";
import type { Output } from "../core/output.ts";

type Plan = { project: Project; selected: readonly string[]; parallel: number };

/** `ralph run --dry-run`: what would be done and in which order. Nothing is written. */
export function printPlan(output: Output, { project, selected, parallel }: Plan): number {
  const open = selected.flatMap((id) =>
    project.prd.tasks.filter((task) => task.id === id && !task.passes),
  );
  const groups = parallelSteps(project.prd.tasks, selected);
  if (output.wantsJson) {
    output.json({
      project: project.prd.project,
      tasks: open.map(({ id, title }) => ({ id, title })),
      parallel,
      side_by_side: groups,
    });
    return 0;
  }
  for (const warning of project.warnings) output.problem(`Warning: ${warning}`);
  if (open.length === 0) output.result("Nothing to do: every task has passed already.");
  else
    output.result(
      `${project.prd.project}: ${counted(open.length, "task")} would run, in this order:`,
    );
  for (const { id, title, priority } of open)
    output.result(`  ${id}  (priority ${priority})  ${title}`);
  if (parallel > 1 && groups.some(({ length }) => length > 1)) {
    output.result(`Side by side, at most ${parallel} at a time, group after group:`);
    for (const ids of groups) output.result(`  ${ids.join(", ")}`);
  }
  return 0;
}
