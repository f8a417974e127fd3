import { sessionBudget } from "../../core/decide/budget.ts";
import { describeLeftOut } from "../../core/state/steer.ts";
import { counted } from "../../text/counted.ts";
import { plainLine } from "../../text/plain-text.ts";
import { renderMetricsComment } from "../../views/pull-request/metrics-comment.ts";
import { type BaseNews, baseObjection } from "../../views/pull-request/pull-base.ts";
import { metricsMarker } from "../../views/pull-request/pull-marker.ts";
import { renderReport } from "../../views/summary/report-markdown.ts";
import { ignoreForbidden } from "../api/ignore-forbidden.ts";
import type { PublicationDraft } from "../publication/prepare-publication.ts";
import type { PublishDeps } from "../publication/publish-deps.ts";
import type { PublishRequest } from "../publication/publish-request.ts";
import { upsertCheckRun } from "../pulls/check-run.ts";
import { markReady } from "../pulls/mark-ready.ts";
import type { Pull } from "../pulls/pull.ts";
import { type CiStart, provesCiStarted } from "../pulls/started-ci.ts";
import { upsertComment } from "../pulls/sticky-comment.ts";
import type { CheckAnnotation, WantedCheckRun } from "../pulls/wanted-check-run.ts";
import { isOver } from "./record-commit.ts";

type Finished = {
  story: PublicationDraft;
  wish: PublishRequest;
  pull: Pull;
  /** Where the branch stands. */
  head: string;
  base: BaseNews;
};

/** Everything behind the last commit: ready or still a draft, the figures, the check run, and whether CI has begun. */
export async function finishPull(deps: PublishDeps, finished: Finished): Promise<Pull> {
  const { story, wish } = finished;
  const pull = await settleDraft(deps, finished);
  if (wish.comments) await comment(deps, finished);
  await ignoreForbidden(wish, () => check(deps, finished));
  if (isOver(story.state)) await ignoreForbidden(wish, () => tellCi(deps, finished));
  return pull;
}

/** Why a pull request is not yet one for review; undefined: it is. Without `base` nobody has looked at that branch. */
export function draftReason(
  { summary, state }: PublicationDraft,
  wish: PublishRequest,
  base?: BaseNews,
): string | undefined {
  const { tasks_completed: passed, tasks_total: total, status } = summary;
  if (wish.staysDraft) return "that is what was asked for";
  if (!isOver(state)) return state.end ? "the session goes on" : "the session was cut off";
  if (status !== "completed") {
    const left = plainLine(describeLeftOut(state));
    return `${passed} of ${counted(total, "task")} passed${left && `; left out: ${left}`}`;
  }
  if (wish.proved?.kind === "refuted") return "it was refuted where no agent has worked";
  const isProved = wish.proof === "clean_room" || wish.acceptsInPlace;
  return isProved ? baseObjection(base) : unproved;
}

const unproved = "its work was not proved in a clean room";
const unprovedRemedy =
  "Mark it ready yourself when you agree with it; runs of the reusable workflow are proved on a fresh machine.";

async function settleDraft(deps: PublishDeps, finished: Finished): Promise<Pull> {
  const { story, wish, pull, base } = finished;
  const why = draftReason(story, wish, base);
  if (why !== undefined) {
    if (pull.draft) wish.tell(`Pull request #${pull.number} is a draft: ${why}.`);
    if (pull.draft && why === unproved) wish.tell(unprovedRemedy);
    return pull;
  }
  const ready = await markReady(deps, pull);
  if (pull.draft) wish.tell(`Pull request #${pull.number} is ready for review.`);
  return ready;
}

async function comment(deps: PublishDeps, { story, wish, pull }: Finished): Promise<void> {
  const { run } = story.marker;
  const budgetUsd = sessionBudget(story.state, story.start.config.limits.budget_usd);
  const metrics = { summary: story.summary, run, budgetUsd, runUrl: wish.job?.url };
  const body = renderMetricsComment(metrics);
  await upsertComment(deps, { number: pull.number, marker: metricsMarker(run), body });
}

async function check(deps: PublishDeps, { story, wish, head }: Finished): Promise<void> {
  const { summary, state, flagged } = story;
  const { tasks_completed: passed, tasks_total: total } = summary;
  await upsertCheckRun(deps, {
    name: "ralph",
    sessionId: state.session.session_id,
    head,
    conclusion: conclusionOf(story),
    title: `${passed} of ${counted(total, "task")} passed`,
    summary: renderReport(state),
    annotations: flagged.map(noteOf),
    detailsUrl: wish.job?.url,
  });
}

const noteOf = ({ path, message }: { path: string; message: string }): CheckAnnotation => ({
  path,
  start_line: 1,
  end_line: 1,
  annotation_level: "notice",
  message,
});

function conclusionOf({ summary, state }: PublicationDraft): WantedCheckRun["conclusion"] {
  if (summary.status === "completed") return "success";
  if (state.end?.reason === "cancelled") return "cancelled";
  return isOver(state) ? "failure" : "neutral";
}

async function tellCi(deps: PublishDeps, { wish, head }: Finished): Promise<void> {
  const { job, tell } = wish;
  const ci = await provesCiStarted(deps, {
    head,
    ownRunId: job?.runId,
    ownWorkflow: job?.workflow,
  });
  tell(ciWords(ci));
}

function ciWords(ci: CiStart): string {
  switch (ci.kind) {
    case "started":
      return `CI has started: ${ci.names.join(", ")}.`;
    case "waiting":
      return `CI waits: ${ci.names.join(", ")}. ${ci.remedy}`;
    case "not-started":
      return `CI has not started. ${ci.remedy}`;
    case "no-ci":
      return "The repository has no CI of its own.";
  }
}
