import { counted, dollars, renderMinute } from "../../src/text/figures.ts";
import { cut, plainLine } from "../../src/text/plain-text.ts";
import { type BoxVerb, renderBox } from "../rules/dashboard-boxes.ts";
import type { DispatchedRun } from "../runs/dispatched-run.ts";
import { withoutMention } from "../runs/progress-comment.ts";
import { statusOf } from "../runs/run-status.ts";
import type { DashboardView } from "./dashboard-view.ts";

/** Hidden line that identifies the dashboard issue. */
export const dashboardMarker = "<!-- ralph:dashboard -->";

export const dashboardTitle = "ralph dashboard";

/** Limits that keep any text below the 65,536 characters GitHub accepts. */
const maxLines = 20;
const maxMessage = 300;

/**
 * The text of the dashboard issue. The boxes in `ticked` stay ticked, because their jobs are still to run. The same runs
 * give the same text. Pure.
 */
export function renderDashboard(view: DashboardView, ticked: ReadonlySet<string>): string {
  const box = (verb: BoxVerb, label: string, run?: DispatchedRun) =>
    renderBox({ verb, ...(run && { run: run.id }) }, { label, ticked });
  const act =
    (verb: BoxVerb, before: string, after = "") =>
    (run: DispatchedRun) =>
      box(verb, `${before} ${nameOf(run)}${after}${detailsOf(run)}`, run);
  const parts = [
    dashboardMarker,
    intro,
    problemOf(view),
    view.isPaused ? "**Paused: nothing starts until someone ticks the last box.**" : "",
    section("Working", view.working, act("cancel", "Stop")),
    section("Waiting", view.waiting, act("skip", "Remove")),
    section("Plans to approve", view.plans, act("approve", "Approve the plan of")),
    section("Failed or incomplete", view.failed, act("retry", "Retry")),
    section(ignoredTitle, view.ignored, act("unignore", "Allow", " again")),
    section("Recent runs", view.chosen, (run) => `- ${nameOf(run)}${resultOf(run)}`),
    `### Today (UTC)\n\n${todayOf(view)}`,
    `### Everything\n\n${view.isPaused ? box("resume", "Resume") : box("pause", "Pause everything")}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

const ignoredTitle = "Ignored, because the pull request was closed";

const intro =
  "The current status of ralph in this repository. Tick a box to trigger an action; this needs write permission, and the box is cleared when the action is done. You can close this issue; it is updated again once it is reopened.";

function section(
  title: string,
  runs: readonly DispatchedRun[],
  render: (run: DispatchedRun) => string,
): string {
  if (runs.length === 0) return "";
  const more = runs.length - maxLines;
  const rest = more > 0 ? [`- and ${more} more`] : [];
  return [`### ${title}`, "", ...runs.slice(0, maxLines).map(render), ...rest].join("\n");
}

/** GitHub adds the title to a bare reference to an issue or pull request. */
function nameOf({ request: { issue, command }, pull }: DispatchedRun): string {
  if (issue !== undefined) return command === "autopilot" ? `#${issue} (autopilot)` : `#${issue}`;
  return pull ? `a report's item, #${pull.number}` : "the newest report";
}

/** The status of a run, and the reason. */
function detailsOf(run: DispatchedRun): string {
  const { state, words, workflow, started_at: at } = run;
  const { headline } = statusOf(run);
  const actor = run.request.actor?.login;
  const parts = [
    state === "waiting" ? "" : harmless(headline),
    state === "working" ? `since ${renderMinute(at)}` : "",
    workflow && state !== "done" && state !== "refused" ? `[workflow run](${urlOf(workflow)})` : "",
    actor && state !== "done" ? `requested by ${withoutMention(actor)}` : "",
    words ? harmless(words) : "",
  ].filter(Boolean);
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`;
}

function resultOf(run: DispatchedRun): string {
  const { request, pull, tasks, cost_usd: cost } = run;
  const { headline } = statusOf(run);
  const parts = [
    harmless(headline),
    pull && request.issue !== undefined ? `pull request #${pull.number}` : "",
    tasks ? `${tasks.passed} of ${counted(tasks.total, "task")} passed` : "",
    cost === undefined ? "" : dollars(cost),
  ].filter(Boolean);
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`;
}

/** Errors of the configuration, where the people who can correct it see them. */
function problemOf({ config }: DashboardView): string {
  if (config.kind === "valid") return "";
  const start = "**Nothing starts:**";
  if (config.kind === "missing") return `${start} the default branch has no \`.ralph/ralph.yml\`.`;
  const lines = config.problem
    .split("\n")
    .slice(0, maxLines)
    .map((line) => `- ${harmless(line)}`);
  return `${start} \`.ralph/ralph.yml\` on the default branch is invalid.\n\n${lines.join("\n")}`;
}

function todayOf({ today, config }: DashboardView): string {
  const runs = `${counted(today.runs, "run")} started`;
  const spent = `${dollars(today.usd)} spent`;
  if (config.kind !== "valid") return `${runs}, ${spent}.`;
  const { runs_per_day: most, budget_usd_per_day: budget, open_prs: open } = config.config.limits;
  const money = budget === null ? `${spent} (no limit is set)` : `${spent} of ${dollars(budget)}`;
  return `${runs} of at most ${most}, ${money}; at most ${counted(open, "pull request")} open at a time.`;
}

/** A URL from GitHub's API, escaped so that it cannot end the link. */
const urlOf = ({ url }: { url: string }) => encodeURI(url.slice(0, 300)).replace(/[()]/g, "");

/** A message without links, images, boxes, marks and mentions. */
function harmless(message: string): string {
  const escaped = plainLine(message, maxMessage)
    .replaceAll("<", "&lt;")
    .replaceAll("[", "&#91;")
    .replaceAll("@", "@\u200b");
  return cut(escaped, maxMessage);
}
