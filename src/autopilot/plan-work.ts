import type { Autopilot } from "../model/config/autopilot.ts";
import type { Prd } from "../model/prd.ts";
import type { Usage } from "../run/event.ts";
import { addUsage } from "../run/usage.ts";
import { type Analyzed, analysisPath, renderAnalysis } from "./analyze.ts";
import { branchFor } from "./branch-for.ts";
import type { Bench } from "./consult.ts";
import { draftPrd, numbered, prdPath } from "./draft-prd.ts";
import { type DraftedTasks, draftTasks } from "./draft-tasks.ts";
import type { ProjectFacts } from "./prompt-data.ts";
import type { Report } from "./report.ts";
import type { TaskRange } from "./tasks-prompt.ts";
import type { Trace } from "./trace.ts";

export interface WorkOrder {
  analyzed: Analyzed;
  report: Report;
  project: ProjectFacts;
  settings: Pick<Autopilot, "branch_prefix" | "prd" | "tasks">;
  /** Branches that are there, here and on the remote. */
  taken: Iterable<string>;
  /** A branch somebody asked for, already checked by `namedBranch`. */
  branch?: string;
  /** `--task-count`, else the configuration's. */
  range?: TaskRange;
  /** `without` is `--no-prd`: the tasks then follow from the analysis alone. */
  document: "with" | "without";
}

export interface PlannedWork {
  branch: string;
  /** What the branch begins with, relative to the project root; nothing is written yet. */
  files: { path: string; text: string }[];
  prdPath?: string;
  prd: Prd;
  trace: Trace;
  checkable: DraftedTasks["checkable"];
  usage: Usage;
}

/** From the chosen item to everything a session needs: branch, requirements document, task list. Ends with exit 12 or 13. */
export async function planWork(bench: Bench, order: WorkOrder): Promise<PlannedWork> {
  const { analyzed, settings, project } = order;
  const { analysis, source } = analyzed;
  const branch = order.branch ?? branchOf(order);
  const document =
    order.document === "with" ? await writeDocument(bench, order, branch) : undefined;
  const drafted = await draftTasks(bench, {
    ...{ analysis, source, project, branch },
    requirements: document?.requirements ?? numbered(analysis.acceptance_criteria),
    range: order.range ?? { min: settings.tasks.min_count, max: settings.tasks.max_count },
    ...(document && { prdPath: document.path }),
  });
  const { prd, trace, checkable, usage } = drafted;
  return {
    ...{ branch, prd, trace, checkable },
    ...(document && { prdPath: document.path }),
    files: [
      { path: analysisPath, text: renderAnalysis(analysis) },
      ...(document ? [{ path: document.path, text: document.text }] : []),
      { path: settings.tasks.output, text: drafted.text },
    ],
    usage: document ? addUsage(document.usage, usage) : usage,
  };
}

function branchOf({ analyzed, settings, taken }: WorkOrder): string {
  const { branch_name: suggestion, priority_item: item } = analyzed.analysis;
  return branchFor({ suggestion, item, prefix: settings.branch_prefix, taken });
}

async function writeDocument(bench: Bench, order: WorkOrder, branch: string) {
  const { analyzed, report, project, settings } = order;
  const { analysis, source } = analyzed;
  const drafted = await draftPrd(bench, {
    ...{ analysis, source, report, project },
    mode: settings.prd.mode,
  });
  const { output_dir } = settings.prd;
  return { ...drafted, path: prdPath(branch, { output_dir, prefix: settings.branch_prefix }) };
}
