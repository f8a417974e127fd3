import { RalphError } from "../../error.ts";
import { plainLine } from "../../text/plain-text.ts";
import { draftTimeoutMs } from "../llm/model.ts";
import { type Analyzed, analysisTimeoutMs, analyze } from "../planning/analyze.ts";
import { branchFor, namedBranch } from "../planning/branch-for.ts";
import { draftPrd, numbered, prdDocumentPath } from "../planning/draft-prd.ts";
import { draftTasks } from "../planning/draft-tasks.ts";
import type { PastItem } from "../reports/past-work.ts";
import type { Report } from "../reports/report.ts";
import { type AutopilotRun, requireAnalyzed } from "./autopilot-run.ts";
import { goToBranch, takenBranches } from "./branch.ts";
import { commitDocument, commitList, type Stop } from "./commits.ts";
import type { PlanningContext, QuestionContext } from "./planning-context.ts";
import type { AutopilotOutcome } from "./run-request.ts";
import type { RunStore } from "./run-store.ts";

type PlanningStep = {
  isDue: (run: AutopilotRun) => boolean;
  take: (context: PlanningContext) => Promise<Stop | undefined>;
};

/** `ready`: the task list is committed, and the loop can begin. */
export type PreparedRun =
  | { kind: "ready"; runStore: RunStore }
  | Exclude<AutopilotOutcome, { kind: "ended" }>;

/** In their order. Each is due while its result is missing. */
const steps: readonly PlanningStep[] = [
  { isDue: ({ analyzed }) => !analyzed, take: chooseItem },
  { isDue: ({ branch }) => branch === undefined, take: startBranch },
  { isDue: (run) => wantsDocument(run) && !run.document, take: writeDocument },
  { isDue: (run) => wantsDocument(run) && !run.document_commit?.commit, take: commitDocument },
  { isDue: (run) => wantsApproval(run) && !run.approved, take: askReader },
  { isDue: ({ list }) => list === undefined, take: writeList },
  { isDue: ({ list_commit }) => !list_commit?.commit, take: commitList },
];

const wantsDocument = ({ requested }: AutopilotRun) => requested.document === "with";

const wantsApproval = (run: AutopilotRun) =>
  wantsDocument(run) && run.requested.mode === "interactive";

/** Takes every step that is due. After an error the record holds the reason, and the state the place to resume at. */
export async function takeSteps(context: PlanningContext): Promise<PreparedRun> {
  const { runStore, deps, modelContext } = context;
  try {
    for (const { isDue, take } of steps) {
      if (deps.cancel.aborted) throw cancelled();
      const stop = isDue(runStore.state()) ? await take(context) : undefined;
      if (stop) return { kind: "stopped", run: runStore.state(), ...stop };
    }
    return { kind: "ready", runStore };
  } catch (error) {
    await runStore.end({ error, asked: modelContext.spendTracker.asked() });
    deps.log(
      `Run ${runStore.state().run_id} stopped; resume it with \`ralph autopilot --resume\`.`,
    );
    throw error;
  }
}

async function chooseItem(context: PlanningContext): Promise<undefined> {
  const { runStore, modelContext, past, deps } = context;
  const { report: first, others = [] } = runStore.state();
  const analyzed = await analyzeReports(context, { reports: [first, ...others], past });
  const { analysis, fingerprint, source, report } = analyzed;
  deps.log(`Item     ${plainLine(analysis.priority_item)}`);
  const chosen = { report, others: undefined, analyzed: { analysis, fingerprint, source } };
  await runStore.advance({ ...chosen, asked: modelContext.spendTracker.asked() }, "branching");
}

/** Asks for the item, and logs which reports are read by which model. */
export async function analyzeReports(
  { deps, modelContext, project }: QuestionContext,
  { reports, past }: { reports: readonly [Report, ...Report[]]; past: readonly PastItem[] },
): Promise<Analyzed> {
  const names = reports.map(({ path }) => plainLine(path)).join(", ");
  deps.log(`Analyzing ${names} with ${modelContext.model.name} …`);
  const [report, ...others] = reports;
  const analyzed = await analyze(
    { ...modelContext, timeoutMs: analysisTimeoutMs },
    { report, others, past, project },
  );
  // Its author may have meant it for the model alone.
  if (analyzed.hiddenText)
    deps.log("Warning: the report holds text that a page does not show; it was left out.");
  return analyzed;
}

/** Names the branch and checks it out. */
async function startBranch({
  runStore,
  repo,
  settings,
  deps,
}: PlanningContext): Promise<undefined> {
  const run = runStore.state();
  const { branch_name: suggestion, priority_item: item } = requireAnalyzed(run).analysis;
  const { branch_prefix: prefix } = settings;
  const branch =
    run.requested.branch === undefined
      ? branchFor({ suggestion, item, prefix, taken: await takenBranches(repo) })
      : namedBranch(run.requested.branch);
  deps.log(`Branch   ${branch}`);
  // Saved before the branch is made: after a kill the run knows it as its own.
  await runStore.advance({ branch }, "branching");
  await goToBranch(repo, { branch, base: run.base });
  await runStore.advance({}, "planning");
}

async function writeDocument(context: PlanningContext): Promise<undefined> {
  const { runStore, modelContext, settings, project, deps } = context;
  const run = runStore.state();
  const { analysis, source } = requireAnalyzed(run);
  deps.log("Writing the requirements document …");
  const { text, requirements } = await draftPrd(
    { ...modelContext, timeoutMs: draftTimeoutMs },
    { analysis, source, report: run.report, project, mode: run.requested.mode },
  );
  const { output_dir } = settings.prd;
  const path = prdDocumentPath(run.branch ?? "", { output_dir, prefix: settings.branch_prefix });
  const document = { path, text, requirements: [...requirements] };
  await runStore.advance({ document, asked: modelContext.spendTracker.asked() }, "planning");
}

async function writeList(context: PlanningContext): Promise<undefined> {
  const { runStore, modelContext, settings, project, deps } = context;
  const run = runStore.state();
  const { analysis: chosen, source } = requireAnalyzed(run);
  const analysis = { ...chosen, ...run.document?.edited };
  deps.log("Writing the task list …");
  const { min_count: min, max_count: max } = settings.tasks;
  const { text, prd, checkable } = await draftTasks(
    { ...modelContext, timeoutMs: draftTimeoutMs },
    {
      ...{ analysis, source, project, branch: run.branch ?? "" },
      requirements: run.document?.requirements ?? numbered(analysis.acceptance_criteria),
      range: run.requested.range ?? { min, max },
      ...(run.document && { prdPath: run.document.path }),
    },
  );
  const { count, total } = checkable;
  deps.log(`Tasks    ${prd.tasks.length}; ${count} of ${total} criteria are checked by a program`);
  await runStore.advance({ list: text, asked: modelContext.spendTracker.asked() }, "planning");
}

/** Asks a person at a terminal to approve the document; elsewhere the branch waits with it. */
async function askReader({ deps, runStore }: PlanningContext): Promise<Stop | undefined> {
  const { document, branch } = runStore.state();
  if (deps.approve && document && (await isApproved(deps.approve(document), deps.cancel))) {
    await runStore.advance({ approved: true }, "planning");
    return undefined;
  }
  return {
    why: `${document?.path} is committed on ${branch} for you to read.`,
    next: "Edit and commit it as you like, then resume the run with `ralph autopilot --resume`. `ralph publish` opens a draft pull request with the document alone.",
  };
}

/** Ctrl-C at the question cancels the run; it is not an answer. */
async function isApproved(answer: Promise<boolean>, cancel: AbortSignal): Promise<boolean> {
  try {
    return await answer;
  } catch (error) {
    throw cancel.aborted ? cancelled() : error;
  }
}

const cancelled = () =>
  new RalphError("cancelled", {
    message: "The run was cancelled.",
    remedy: "Resume it with `ralph autopilot --resume`.",
  });
