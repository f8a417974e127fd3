import { normalize } from "node:path/posix";
import { RalphError } from "../../error.ts";
import { readBlob } from "../../git/trees/objects.ts";
import type { Config } from "../../schema/config/config.ts";
import type { QuestionUsage } from "../llm/spend-tracker.ts";
import { analysisTimeoutMs, analyze } from "../planning/analyze.ts";
import { namedBranch } from "../planning/branch-for.ts";
import type { PastItem } from "../reports/past-work.ts";
import type { Report } from "../reports/report.ts";
import { type AutopilotRun, forgetOldRuns, readAutopilotRuns } from "./autopilot-run.ts";
import { goToBranch, requireNew } from "./branch.ts";
import {
  type FoundReport,
  findReport,
  forgetReport,
  readKnownWork,
  readPast,
  type Sources,
} from "./find-report.ts";
import { latestSession } from "./latest-session.ts";
import { openModelContext, type RunModelContext } from "./model-context.ts";
import { type Opened, openBase, requireSandbox } from "./open.ts";
import { logAnalyzing, logHidden } from "./planning-steps.ts";
import type { AutopilotDeps, AutopilotRequest } from "./run-request.ts";
import { createRunStore } from "./run-store.ts";
import { type PreparedRun, takeSteps } from "./steps.ts";

const nothing: QuestionUsage = { calls: 0, usage: {} };

type NewRun = { runId: string; runs: readonly AutopilotRun[] };

/** A new run up to its task list; for `analyze` only up to the item, and nothing of it is kept. */
export async function prepareNew(
  deps: AutopilotDeps,
  request: AutopilotRequest,
  { runId, runs }: NewRun,
): Promise<PreparedRun> {
  const opened = await openBase(deps, request, undefined);
  if (request.branch !== undefined) await requireNew(opened.repo, namedBranch(request.branch));
  const sources = sourcesOf(deps, opened, runs);
  const known = await readKnownWork(sources, deps.log);
  const found = await findReport(deps, sources, { request, known });
  for (const { path, reason } of found.skipped) deps.log(`Skipped  ${path}: ${reason}`);
  const now = deps.system.clock.now();
  const again = isAgain(request);
  const past = await readPast(sources, {
    ...{ now, recentDays: request.recentDays },
    known: again ? forgetReport(known, found.report) : known,
  });
  const config = await requireSandbox(deps, opened, found.untrusted);
  const context = await openModelContext(
    deps,
    { ...opened, config },
    { request, runId, asked: nothing },
  );
  if (request.act === "analyze") return analyzeOnly(context, { found, past });
  await forgetOldRuns(deps.place.store);
  // The run travels with what it was given.
  const redacted = (report: Report) => ({
    ...report,
    text: context.modelContext.redact(report.text),
  });
  const [report, others] = [redacted(found.report), found.others.map(redacted)];
  const kept = { ...found, report, others };
  const first = { runId, base: opened.base, config, found: kept, now };
  const run = firstState(request, first);
  const runStore = createRunStore(deps, run);
  await runStore.advance({}, "analyzing");
  return takeSteps({ ...context, past, runStore });
}

/** A run that stopped, up to its task list. What is there is not made again. */
export async function prepareResumed(
  deps: AutopilotDeps,
  request: AutopilotRequest,
  old: AutopilotRun,
): Promise<PreparedRun> {
  const runStore = createRunStore(deps, old);
  deps.log(`Going on with run ${old.run_id}.`);
  const standing = old.list_commit?.commit
    ? await latestSession(deps.place.store, old.branch)
    : undefined;
  // Interrupted work may lie in the tree; the session knows it.
  if (standing && standing.kind !== "none") return { kind: "ready", runStore };
  const opened = await openBase(deps, request, old);
  const { repo, base } = opened;
  const config = await requireSandbox(deps, opened, old.untrusted);
  if (old.branch !== undefined) await goToBranch(repo, { branch: old.branch, base });
  if (old.list_commit?.commit) return { kind: "ready", runStore };
  const sources = sourcesOf(deps, opened, await readAutopilotRuns(deps.place.store));
  const past = old.analyzed ? [] : await pastOfResumed(deps, sources, { request, old });
  const context = await openModelContext(
    deps,
    { ...opened, config },
    { request, runId: old.run_id, asked: old.asked },
  );
  if (old.document_commit?.commit) {
    const document = old.document && (await rereadDocument(opened, old.document));
    await runStore.advance({ approved: true, ...(document && { document }) }, "planning");
  }
  return takeSteps({ ...context, past, runStore });
}

/** Of one issue among others the choice is the model's, within what was decided before. */
const isAgain = ({ again, among, issue }: AutopilotRequest) =>
  again && !among && issue !== undefined;

async function pastOfResumed(
  deps: AutopilotDeps,
  sources: Sources,
  { request: { recentDays }, old }: { request: AutopilotRequest; old: AutopilotRun },
) {
  const read = await readKnownWork(sources, deps.log);
  const known = old.wishes.again ? forgetReport(read, old.report) : read;
  return readPast(sources, { known, now: deps.system.clock.now(), recentDays });
}

function sourcesOf(
  { openGitHub }: AutopilotDeps,
  { repo, base, config }: Opened,
  runs: readonly AutopilotRun[],
): Sources {
  return { repo, base, config, github: openGitHub(config.git.remote), runs };
}

async function analyzeOnly(
  { deps, modelContext, project }: RunModelContext,
  { found, past }: { found: FoundReport; past: readonly PastItem[] },
): Promise<PreparedRun> {
  const timed = { ...modelContext, timeoutMs: analysisTimeoutMs };
  const { report, others } = found;
  logAnalyzing(deps.log, [report, ...others], modelContext.model);
  const analyzed = await analyze(timed, { report, others, past, project });
  logHidden(deps.log, analyzed);
  return { kind: "analyzed", analysis: analyzed.analysis, skipped: found.skipped };
}

type FirstState = { runId: string; base: string; config: Config; found: FoundReport; now: number };

function firstState(
  request: AutopilotRequest,
  { runId, base, config, found, now }: FirstState,
): AutopilotRun {
  const { autopilot, pr } = config;
  const { branch, range, document, mode, pull } = request;
  const { report, others, untrusted } = found;
  return {
    ...{ run_id: runId, started_at: new Date(now).toISOString(), base },
    ...{ report, untrusted, ...(others.length > 0 && { others: [...others] }) },
    task_path: normalize(autopilot.tasks.output),
    wishes: {
      ...{ branch, range, document },
      mode: mode ?? autopilot.prd.mode,
      pull: pull && autopilot.create_pr && pr.enabled,
      ...(isAgain(request) && { again: true }),
    },
    ...{ approved: false, completed: false, asked: nothing },
  };
}

type Document = NonNullable<AutopilotRun["document"]>;

/** The document as it is on the branch now: whoever read it may have changed it. */
async function rereadDocument({ repo }: Opened, document: Document): Promise<Document> {
  const bytes = await readBlob(repo, { treeish: "HEAD", path: document.path });
  const text = bytes?.toString("utf8");
  if (text === undefined || text === document.text) return document;
  const found = [...text.matchAll(/^[-*] (FR-\d+): (.+)$/gm)];
  const requirements = found.map(([, id = "", words = ""]) => ({ id, text: words.trim() }));
  if (requirements.length > 0) return { ...document, text, requirements };
  throw new RalphError("prd", {
    message: `${document.path} has no requirements left: lines such as "- FR-1: what it does".`,
    remedy: "Write at least one, commit it, then run `ralph autopilot --resume`.",
  });
}
