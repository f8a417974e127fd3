import { normalize } from "node:path/posix";
import { RalphError } from "../../error.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { namedBranch } from "../planning/branch-for.ts";
import { readPrdDocument } from "../planning/read-document.ts";
import type { Report } from "../reports/report.ts";
import { type AutopilotRun, forgetOldRuns, readAutopilotRuns } from "./autopilot-run.ts";
import { goToBranch, requireNew } from "./branch.ts";
import {
  type FoundReport,
  findReport,
  readKnownWork,
  readPast,
  type Sources,
} from "./find-report.ts";
import { latestSession } from "./latest-session.ts";
import { type Opened, openBase, requireSandbox } from "./open.ts";
import { openQuestionContext } from "./planning-context.ts";
import type { AutopilotDeps, AutopilotRequest } from "./run-request.ts";
import { createRunStore } from "./run-store.ts";
import { analyzeReports, type PreparedRun, takeSteps } from "./steps.ts";

const nothingAsked = { calls: 0, usage: {} };

/** Plans a new run up to its task list. With `analyze` it only chooses the item, and keeps nothing. */
export async function prepareNew(
  deps: AutopilotDeps,
  request: AutopilotRequest,
  { runId, runs }: { runId: string; runs: readonly AutopilotRun[] },
): Promise<PreparedRun> {
  const opened = await openBase(deps, request, undefined);
  if (request.branch !== undefined) await requireNew(opened.repo, namedBranch(request.branch));
  const sources = sourcesOf(deps, opened, runs);
  const known = await readKnownWork(sources, deps.log);
  const found = await findReport({ deps, sources, request, known });
  const { report, others, skipped, untrusted } = found;
  for (const { path, reason } of skipped) deps.log(`Skipped  ${path}: ${reason}`);
  const now = deps.system.clock.now();
  const past = await readPast({ deps, sources, request, known }, report, request.work);
  const sandboxed = await requireSandbox(deps, opened, untrusted);
  const asker = { request, runId, asked: nothingAsked };
  const context = await openQuestionContext(deps, sandboxed, asker);
  if (request.act === "analyze") {
    const { analysis } = await analyzeReports(context, { reports: [report, ...others], past });
    return { kind: "analyzed", analysis, skipped };
  }
  await forgetOldRuns(deps.place.store);
  const { redact } = context.modelContext;
  const redacted = (one: Report) => ({ ...one, text: redact(one.text) });
  // The state travels with its reports, so they are redacted.
  const kept = { ...found, report: redacted(report), others: others.map(redacted) };
  const run = newRun(request, sandboxed, { runId, found: kept, now });
  const runStore = createRunStore(deps, run);
  await runStore.advance({}, "analyzing");
  return takeSteps({ ...context, past, runStore });
}

/** Plans a stopped run up to its task list. Finished steps are not repeated. */
export async function prepareResumed(
  deps: AutopilotDeps,
  request: AutopilotRequest,
  run: AutopilotRun,
): Promise<PreparedRun> {
  const { store } = deps.place;
  const runStore = createRunStore(deps, run);
  const hasList = run.list_commit?.commit !== undefined;
  deps.log(`Resuming run ${run.run_id}.`);
  // The tree may hold interrupted work, which the session knows how to treat.
  if (hasList && (await latestSession(store, run.branch)).kind !== "none")
    return { kind: "ready", runStore };
  const opened = await openBase(deps, request, run);
  const { repo, base } = opened;
  const sandboxed = await requireSandbox(deps, opened, run.untrusted);
  if (run.branch !== undefined) await goToBranch(repo, { branch: run.branch, base });
  if (hasList) return { kind: "ready", runStore };
  const sources = sourcesOf(deps, opened, await readAutopilotRuns(store));
  const known = run.analyzed ? undefined : await readKnownWork(sources, deps.log);
  const past = known && (await readPast({ deps, sources, request, known }, run.report, run.work));
  const asker = { request, runId: run.run_id, asked: run.asked };
  const context = await openQuestionContext(deps, sandboxed, asker);
  if (run.document_commit?.commit) {
    const document = run.document && (await rereadDocument(opened, run.document));
    await runStore.advance({ approved: true, ...(document && { document }) }, "planning");
  }
  return takeSteps({ ...context, past: past ?? [], runStore });
}

const sourcesOf = (
  { openGitHub }: AutopilotDeps,
  { repo, base, config }: Opened,
  runs: readonly AutopilotRun[],
): Sources => ({ repo, base, config, github: openGitHub(config.git.remote), runs });

function newRun(
  request: AutopilotRequest,
  { base, config }: Opened,
  { runId, found, now }: { runId: string; found: FoundReport; now: number },
): AutopilotRun {
  const { autopilot, pr } = config;
  const { branch, range, document, mode, pull } = request;
  const { report, others, untrusted } = found;
  return {
    ...{ run_id: runId, started_at: new Date(now).toISOString(), base },
    ...{ report, untrusted, ...(others.length > 0 && { others: [...others] }) },
    task_path: normalize(autopilot.tasks.output),
    requested: {
      ...{ branch, range, document },
      mode: mode ?? autopilot.prd.mode,
      pull: pull && autopilot.create_pr && pr.enabled,
    },
    work: request.work,
    ...{ approved: false, completed: false, asked: nothingAsked },
  };
}

type Document = NonNullable<AutopilotRun["document"]>;

/** The document as the branch has it now: its reader may have edited it. */
async function rereadDocument({ repo }: Opened, document: Document): Promise<Document> {
  const bytes = await readBlob(repo, { treeish: "HEAD", path: document.path });
  const text = bytes?.toString("utf8");
  if (text === undefined || text === document.text) return document;
  const { requirements, edited } = readPrdDocument(text);
  if (requirements.length > 0)
    return { ...document, text, edited, requirements: [...requirements] };
  throw new RalphError("prd", {
    message: `${document.path} has no requirements left: lines such as "- FR-1: what it does".`,
    remedy: "Write at least one, commit it, then run `ralph autopilot --resume`.",
  });
}
