import type { Project } from "../loop/open-project.ts";
import { counted } from "../run/counted.ts";
import type { Output } from "./output.ts";

/** `ralph run --dry-run`: what would be done and in which order. Nothing is written. */
export function printPlan(
  output: Output,
  { project, selected }: { project: Project; selected: readonly string[] },
): number {
  const open = selected.flatMap((id) =>
    project.prd.tasks.filter((task) => task.id === id && !task.passes),
  );
  if (output.wantsJson) {
    output.json({
      project: project.prd.project,
      tasks: open.map(({ id, title }) => ({ id, title })),
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
  return 0;
}
