import type { Repository } from "../../git/repository/repository.ts";
import type { Autopilot } from "../../schema/config/autopilot.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { ModelContext } from "../llm/ask-model.ts";
import type { Model } from "../llm/model.ts";
import { draftTimeoutMs } from "../llm/model.ts";
import type { SpendTracker } from "../llm/spend-tracker.ts";
import { type Analyzed, analysisTimeoutMs, analyze } from "../planning/analyze.ts";
import { branchFor, namedBranch } from "../planning/branch-for.ts";
import { draftPrd, numbered, prdDocumentPath } from "../planning/draft-prd.ts";
import { draftTasks } from "../planning/draft-tasks.ts";
import type { ProjectFacts } from "../planning/prompt-data.ts";
import type { PastItem } from "../reports/past-work.ts";
import type { Report } from "../reports/report.ts";
import type { AutopilotRun } from "./autopilot-run.ts";
import { goToBranch, takenBranches } from "./branch.ts";
import type { AutopilotDeps } from "./run-request.ts";
import type { RunStore } from "./run-store.ts";

/** All the steps from the report to the task list need. */
export interface PlanningContext {
  deps: AutopilotDeps;
  repo: Repository;
  runStore: RunStore;
  settings: Autopilot;
  project: ProjectFacts;
  past: readonly PastItem[];
  modelContext: Omit<ModelContext, "timeoutMs"> & { spendTracker: SpendTracker };
}

/** Chooses the item. */
export async function chooseItem({
  runStore,
  modelContext,
  project,
  past,
  deps,
}: PlanningContext): Promise<void> {
  const { report: first, others = [] } = runStore.state();
  logAnalyzing(deps.log, [first, ...others], modelContext.model);
  const analyzed = await analyze(
    { ...modelContext, timeoutMs: analysisTimeoutMs },
    { report: first, others, past, project },
  );
  const { analysis, fingerprint, source, report } = analyzed;
  deps.log(`Item     ${plainLine(analysis.priority_item)}`);
  logHidden(deps.log, analyzed);
  const kept = { report, others: undefined, analyzed: { analysis, fingerprint, source } };
  await runStore.advance({ ...kept, asked: modelContext.spendTracker.asked() }, "branching");
}

/** Says what is read, and who is asked. */
export function logAnalyzing(
  log: AutopilotDeps["log"],
  reports: readonly Pick<Report, "path">[],
  { name }: Pick<Model, "name">,
): void {
  log(`Analyzing ${reports.map(({ path }) => plainLine(path)).join(", ")} with ${name} …`);
}

/** Whoever wrote the report may have meant it for the model alone. */
export function logHidden(
  log: AutopilotDeps["log"],
  { hiddenText }: Pick<Analyzed, "hiddenText">,
): void {
  if (hiddenText)
    log("Warning: the report holds text a reader of the page does not see; it was left out.");
}

/** Names the branch and goes there. */
export async function startBranch({
  runStore,
  repo,
  settings,
  deps,
}: PlanningContext): Promise<void> {
  const { wishes, analyzed, base } = runStore.state();
  const { branch_name: suggestion = "", priority_item: item = "" } = analyzed?.analysis ?? {};
  const branch =
    wishes.branch === undefined
      ? branchFor({
          ...{ suggestion, item, prefix: settings.branch_prefix },
          taken: await takenBranches(repo),
        })
      : namedBranch(wishes.branch);
  deps.log(`Branch   ${branch}`);
  // Known before it is made: after a kill it is ours.
  await runStore.advance({ branch }, "branching");
  await goToBranch(repo, { branch, base });
  await runStore.advance({}, "planning");
}

/** Has the requirements document written. */
export async function writeRequirements({
  runStore,
  modelContext,
  settings,
  project,
  deps,
}: PlanningContext): Promise<void> {
  const run = runStore.state();
  const { analysis, source } = requireAnalyzed(run);
  deps.log("Writing the requirements document …");
  const { text, requirements } = await draftPrd(
    { ...modelContext, timeoutMs: draftTimeoutMs },
    { analysis, source, report: run.report, project, mode: run.wishes.mode },
  );
  const { output_dir } = settings.prd;
  const path = prdDocumentPath(run.branch ?? "", { output_dir, prefix: settings.branch_prefix });
  const document = { path, text, requirements: [...requirements] };
  await runStore.advance({ document, asked: modelContext.spendTracker.asked() }, "planning");
}

/** Has the tasks written. */
export async function writeList({
  runStore,
  modelContext,
  settings,
  project,
  deps,
}: PlanningContext): Promise<void> {
  const run = runStore.state();
  const { analysis, source } = requireAnalyzed(run);
  deps.log("Writing the task list …");
  const { min_count: min, max_count: max } = settings.tasks;
  const { text, prd, checkable } = await draftTasks(
    { ...modelContext, timeoutMs: draftTimeoutMs },
    {
      ...{ analysis, source, project, branch: run.branch ?? "" },
      requirements: run.document?.requirements ?? numbered(analysis.acceptance_criteria),
      range: run.wishes.range ?? { min, max },
      ...(run.document && { prdPath: run.document.path }),
    },
  );
  const { count, total } = checkable;
  deps.log(`Tasks    ${prd.tasks.length}; ${count} of ${total} criteria are checked by a program`);
  await runStore.advance({ list: text, asked: modelContext.spendTracker.asked() }, "planning");
}

/** The chosen item; the steps are taken in their order. */
export function requireAnalyzed({ analyzed }: AutopilotRun): NonNullable<AutopilotRun["analyzed"]> {
  if (analyzed) return analyzed;
  throw new Error("The steps are taken in their order.");
}
