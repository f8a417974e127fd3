import { describeLeftOut } from "../../core/state/steer.ts";
import { counted } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { renderMetricsComment } from "../../views/pull-request/metrics-comment.ts";
import { type BaseStatus, baseObjection } from "../../views/pull-request/pull-base.ts";
import { metricsMarker, parsePullMarker } from "../../views/pull-request/pull-marker.ts";
import { countFindings } from "../../views/pull-request/pull-proof.ts";
import { ungatedNote } from "../../views/summary/gate-facts.ts";
import { renderReport } from "../../views/summary/report-markdown.ts";
import { ignoreForbidden } from "../api/expected-refusals.ts";
import type { SessionDraft } from "../publication/prepare-publication.ts";
import type { PublishDeps, PublishRequest } from "../publication/publish-request.ts";
import { upsertCheckRun, type WantedCheckRun } from "../pulls/check-run.ts";
import type { Pull } from "../pulls/pull.ts";
import { markReady } from "../pulls/pull-request.ts";
import { type CiStart, checkCiStart } from "../pulls/started-ci.ts";
import { upsertComment } from "../pulls/sticky-comment.ts";
import { isOver } from "./record-commit.ts";

type Finished = {
  draft: SessionDraft;
  request: PublishRequest;
  pull: Pull;
  head: string;
  base: BaseStatus;
};

/** The steps after the last commit: ready or still a draft, the figures, the check run, and a check that CI has started. */
export async function finishPull(deps: PublishDeps, finished: Finished): Promise<Pull> {
  const { draft, request } = finished;
  const pull = await settleDraft(deps, finished);
  if (request.comments) await comment(deps, finished);
  await ignoreForbidden(request, () => check(deps, finished));
  if (isOver(draft.state)) await ignoreForbidden(request, () => reportCi(deps, finished));
  return pull;
}

/** Why a pull request stays a draft; undefined: it is ready for review. `base` is absent when that branch was not read. */
export function draftReason(
  { summary, state }: SessionDraft,
  request: PublishRequest,
  base?: BaseStatus,
): string | undefined {
  const { tasks_completed: passed, tasks_total: total, status } = summary;
  if (request.staysDraft) return "drafts were requested";
  if (!isOver(state)) return state.end ? "the session is not over" : "the session was cut off";
  if (status !== "completed") {
    const left = plainLine(describeLeftOut(state));
    return `${passed} of ${counted(total, "task")} passed${left && `; left out: ${left}`}`;
  }
  if (request.proved?.kind === "refuted") return "a check without agents failed";
  const findings = countFindings(summary, request.proved?.findings);
  if (findings > 0)
    return `${counted(findings, "finding")} of its proof ${findings === 1 ? "needs" : "need"} a person`;
  return ungatedNote(summary) ?? levelObjection(request) ?? baseObjection(base);
}

const levelObjection = ({ proof, acceptsInPlace }: PublishRequest) =>
  proof === "clean_room" || acceptsInPlace ? undefined : unproved;

const unproved = "its work was not proved in a clean room";
const unprovedRemedy =
  "Mark it ready yourself if you agree with it; the reusable workflow proves runs on a fresh machine.";

async function settleDraft(deps: PublishDeps, finished: Finished): Promise<Pull> {
  const { draft, request, pull, base } = finished;
  const why = draftReason(draft, request, base);
  if (why !== undefined) {
    if (pull.draft) request.log(`Pull request #${pull.number} is a draft: ${why}.`);
    if (pull.draft && why === unproved) request.log(unprovedRemedy);
    return pull;
  }
  const ready = await markReady(deps, pull);
  if (pull.draft) request.log(`Pull request #${pull.number} is ready for review.`);
  return ready;
}

async function comment(deps: PublishDeps, { draft, request, pull }: Finished): Promise<void> {
  // A later session on an open pull request updates the comment that is there.
  const { run } = parsePullMarker(pull.body ?? "") ?? draft.marker;
  const { summary, budgetUsd } = draft;
  const body = renderMetricsComment({ summary, run, budgetUsd, runUrl: request.job?.url });
  await upsertComment(deps, { number: pull.number, marker: metricsMarker(run), body });
}

async function check(deps: PublishDeps, { draft, request, head }: Finished): Promise<void> {
  const { summary, state, flagged } = draft;
  const { tasks_completed: passed, tasks_total: total } = summary;
  const top = { start_line: 1, end_line: 1, annotation_level: "notice" } as const;
  await upsertCheckRun(deps, {
    ...{ name: "ralph", head, sessionId: state.session.session_id },
    conclusion: conclusionOf(draft),
    title: `${passed} of ${counted(total, "task")} passed`,
    summary: renderReport(state),
    annotations: flagged.map(({ path, message }) => ({ path, message, ...top })),
    detailsUrl: request.job?.url,
  });
}

function conclusionOf({ summary, state }: SessionDraft): WantedCheckRun["conclusion"] {
  if (summary.status === "completed") return "success";
  if (state.end?.reason === "cancelled") return "cancelled";
  return isOver(state) ? "failure" : "neutral";
}

async function reportCi(deps: PublishDeps, { request, head }: Finished): Promise<void> {
  const { job, log } = request;
  const pushed = { head, ownRunId: job?.runId, ownWorkflow: job?.workflow };
  log(ciMessage(await checkCiStart(deps, pushed)));
}

function ciMessage(ci: CiStart): string {
  switch (ci.kind) {
    case "started":
      return `CI has started: ${ci.names.join(", ")}.`;
    case "waiting":
      return `CI waits for approval: ${ci.names.join(", ")}. ${ci.remedy}`;
    case "not-started":
      return `CI has not started. ${ci.remedy}`;
    case "no-ci":
      return "The repository has no CI.";
  }
}
