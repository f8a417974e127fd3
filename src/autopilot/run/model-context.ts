import { listTree } from "../../git/trees/list-paths.ts";
import { treeFiles } from "../../git/trees/tree-files.ts";
import { createEvidence } from "../../journal/evidence.ts";
import { createRedactor } from "../../platform/secrets/redact.ts";
import { secretValues } from "../../platform/secrets/secret-values.ts";
import type { Config } from "../../schema/config/config.ts";
import { openModel } from "../llm/run-model.ts";
import { openSpendTracker, type QuestionUsage } from "../llm/spend-tracker.ts";
import { readProjectFacts } from "../planning/prompt-data.ts";
import { runFolder } from "./autopilot-run.ts";
import type { Opened } from "./open.ts";
import type { PlanningContext } from "./planning-steps.ts";
import type { AutopilotDeps, AutopilotRequest } from "./run-request.ts";

/** What a run asks with and from; its state comes on top. */
export type RunModelContext = Omit<PlanningContext, "past" | "runStore">;

type Asker = { request: AutopilotRequest; runId: string; asked: QuestionUsage };

/** Chooses who is asked, and gathers what every question needs. Nothing is asked yet. */
export async function openModelContext(
  deps: AutopilotDeps,
  { repo, base, config }: Opened,
  { request, runId, asked }: Asker,
): Promise<RunModelContext> {
  const { system, sessionDir, cancel } = deps;
  const { store } = deps.place;
  const redact = createRedactor(secretValues(system.env));
  const adapted = withModel(config, request.model);
  const place = { store: store.folder, runId, sessionDir };
  const model = await openModel(system, { repo, config: adapted, redact, ...place });
  const spendTracker = openSpendTracker(model, {
    store,
    clock: system.clock,
    config,
    runId,
    asked,
  });
  const answers = await answersFolder(deps, request.act === "analyze" ? undefined : runId);
  const evidence = createEvidence(system.files(answers));
  const evidenceFolder = `${answers}/evidence`;
  const [files, paths] = await Promise.all([treeFiles(repo, base), listTree(repo, base)]);
  const project = await readProjectFacts(files, { paths, config });
  const modelContext = { system, model, evidence, evidenceFolder, redact, spendTracker, cancel };
  return { deps, repo, settings: adapted.autopilot, project, modelContext };
}

/** Where raw answers are kept: a run's stay as long as it does, those of a mere look until the next one. */
async function answersFolder({ place }: AutopilotDeps, runId: string | undefined) {
  const { folder, files } = place.store;
  if (runId !== undefined) return `${folder}/${runFolder(runId)}`;
  await files.remove(lookFolder);
  return `${folder}/${lookFolder}`;
}

const lookFolder = "autopilot/dry-run";

function withModel(config: Config, model: string | undefined): Config {
  if (model === undefined) return config;
  const { autopilot } = config;
  return { ...config, autopilot: { ...autopilot, analysis: { ...autopilot.analysis, model } } };
}
