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
  keeper: RunStore;
  settings: Autopilot;
  project: ProjectFacts;
  past: readonly PastItem[];
  bench: Omit<ModelContext, "timeoutMs"> & { purse: SpendTracker };
}

/** Chooses the item. */
export async function chooseItem({
  keeper,
  bench,
  project,
  past,
  deps,
}: PlanningContext): Promise<void> {
  const { report: first, others = [] } = keeper.state();
  logAnalyzing(deps.tell, [first, ...others], bench.model);
  const analyzed = await analyze(
    { ...bench, timeoutMs: analysisTimeoutMs },
    { report: first, others, past, project },
  );
  const { analysis, fingerprint, source, report } = analyzed;
  deps.tell(`Item     ${plainLine(analysis.priority_item)}`);
  logHidden(deps.tell, analyzed);
  const kept = { report, others: undefined, analyzed: { analysis, fingerprint, source } };
  await keeper.advance({ ...kept, asked: bench.purse.asked() }, "branching");
}

/** Says what is read, and who is asked. */
export function logAnalyzing(
  tell: AutopilotDeps["tell"],
  reports: readonly Pick<Report, "path">[],
  { name }: Pick<Model, "name">,
): void {
  tell(`Analyzing ${reports.map(({ path }) => plainLine(path)).join(", ")} with ${name} …`);
}

/** Whoever wrote the report may have meant it for the model alone. */
export function logHidden(
  tell: AutopilotDeps["tell"],
  { hiddenText }: Pick<Analyzed, "hiddenText">,
): void {
  if (hiddenText)
    tell("Warning: the report holds text a reader of the page does not see; it was left out.");
}

/** Names the branch and goes there. */
export async function startBranch({
  keeper,
  repo,
  settings,
  deps,
}: PlanningContext): Promise<void> {
  const { wishes, analyzed, base } = keeper.state();
  const { branch_name: suggestion = "", priority_item: item = "" } = analyzed?.analysis ?? {};
  const branch =
    wishes.branch === undefined
      ? branchFor({
          ...{ suggestion, item, prefix: settings.branch_prefix },
          taken: await takenBranches(repo),
        })
      : namedBranch(wishes.branch);
  deps.tell(`Branch   ${branch}`);
  // Known before it is made: after a kill it is ours.
  await keeper.advance({ branch }, "branching");
  await goToBranch(repo, { branch, base });
  await keeper.advance({}, "planning");
}

/** Has the requirements document written. */
export async function writeRequirements({
  keeper,
  bench,
  settings,
  project,
  deps,
}: PlanningContext): Promise<void> {
  const run = keeper.state();
  const { analysis, source } = requireAnalyzed(run);
  deps.tell("Writing the requirements document …");
  const { text, requirements } = await draftPrd(
    { ...bench, timeoutMs: draftTimeoutMs },
    { analysis, source, report: run.report, project, mode: run.wishes.mode },
  );
  const { output_dir } = settings.prd;
  const path = prdDocumentPath(run.branch ?? "", { output_dir, prefix: settings.branch_prefix });
  const document = { path, text, requirements: [...requirements] };
  await keeper.advance({ document, asked: bench.purse.asked() }, "planning");
}

/** Has the tasks written. */
export async function writeList({
  keeper,
  bench,
  settings,
  project,
  deps,
}: PlanningContext): Promise<void> {
  const run = keeper.state();
  const { analysis, source } = requireAnalyzed(run);
  deps.tell("Writing the task list …");
  const { min_count: min, max_count: max } = settings.tasks;
  const { text, prd, checkable } = await draftTasks(
    { ...bench, timeoutMs: draftTimeoutMs },
    {
      ...{ analysis, source, project, branch: run.branch ?? "" },
      requirements: run.document?.requirements ?? numbered(analysis.acceptance_criteria),
      range: run.wishes.range ?? { min, max },
      ...(run.document && { prdPath: run.document.path }),
    },
  );
  const { count, total } = checkable;
  deps.tell(`Tasks    ${prd.tasks.length}; ${count} of ${total} criteria are checked by a program`);
  await keeper.advance({ list: text, asked: bench.purse.asked() }, "planning");
}

/** The chosen item; the steps are taken in their order. */
export function requireAnalyzed({ analyzed }: AutopilotRun): NonNullable<AutopilotRun["analyzed"]> {
  if (analyzed) return analyzed;
  throw new Error("The steps are taken in their order.");
}
