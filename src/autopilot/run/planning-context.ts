import type { Repository } from "../../git/repository/repository.ts";
import { listTree } from "../../git/trees/list-paths.ts";
import { treeFiles } from "../../git/trees/tree-files.ts";
import { createEvidence } from "../../journal/evidence.ts";
import { createRedactor } from "../../platform/secrets/redact.ts";
import { secretValues } from "../../platform/secrets/secret-values.ts";
import type { Autopilot } from "../../schema/config/autopilot.ts";
import type { ModelContext } from "../llm/ask-model.ts";
import { openModel } from "../llm/run-model.ts";
import { openSpendTracker, type QuestionUsage, type SpendTracker } from "../llm/spend-tracker.ts";
import { type ProjectFacts, readProjectFacts } from "../planning/prompt-data.ts";
import type { PastItem } from "../reports/past-work.ts";
import { runFolder } from "./autopilot-run.ts";
import type { Opened } from "./open.ts";
import type { AutopilotDeps, AutopilotRequest } from "./run-request.ts";
import type { RunStore } from "./run-store.ts";

/** Everything the steps from the report to the task list need. */
export interface PlanningContext extends QuestionContext {
  runStore: RunStore;
  past: readonly PastItem[];
}

/** The context of a run's questions, before the run has a state. */
export interface QuestionContext {
  deps: AutopilotDeps;
  repo: Repository;
  settings: Autopilot;
  project: ProjectFacts;
  /** Each question sets its own time limit. */
  modelContext: Omit<ModelContext, "timeoutMs"> & { spendTracker: SpendTracker };
}

/** Chooses the model and gathers what every question needs. No question is asked yet. */
export async function openQuestionContext(
  deps: AutopilotDeps,
  { repo, base, config: rules }: Opened,
  { request, runId, asked }: { request: AutopilotRequest; runId: string; asked: QuestionUsage },
): Promise<QuestionContext> {
  const { system, sessionDir, cancel } = deps;
  const { store } = deps.place;
  const { autopilot } = rules;
  const analysis = { ...autopilot.analysis, ...(request.model && { model: request.model }) };
  const config = { ...rules, autopilot: { ...autopilot, analysis } };
  const redact = createRedactor(secretValues(system.env));
  const place = { store: store.folder, runId, sessionDir };
  const model = await openModel(system, { repo, config, redact, ...place });
  const { clock } = system;
  const spendTracker = openSpendTracker(model, { store, clock, config, runId, asked });
  const answers = await answersFolder(deps, request.act === "analyze" ? undefined : runId);
  const evidence = createEvidence(system.files(answers));
  const evidenceFolder = `${answers}/evidence`;
  const [files, paths] = await Promise.all([treeFiles(repo, base), listTree(repo, base)]);
  const project = await readProjectFacts(files, { paths, config });
  const modelContext = { system, model, evidence, evidenceFolder, redact, spendTracker, cancel };
  return { deps, repo, settings: config.autopilot, project, modelContext };
}

/** Where raw answers are kept: a run's as long as the run, those of a dry run until the next one. */
async function answersFolder({ place }: AutopilotDeps, runId: string | undefined) {
  const { folder, files } = place.store;
  if (runId !== undefined) return `${folder}/${runFolder(runId)}`;
  await files.remove(dryRunFolder);
  return `${folder}/${dryRunFolder}`;
}

const dryRunFolder = "autopilot/dry-run";
