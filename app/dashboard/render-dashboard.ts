import { counted } from "../../src/text/figures.ts";
import { cut, plainLine } from "../../src/text/plain-text.ts";
import { type BoxVerb, renderBox } from "../rules/dashboard-boxes.ts";
import type { DispatchedRun } from "../runs/dispatched-run.ts";
import type { DashboardView } from "./dashboard-view.ts";

/** By this line the issue is found again; nobody sees it on the page. */
export const dashboardMarker = "<!-- ralph:dashboard -->";

export const dashboardTitle = "ralph dashboard";

/** Of one list; with these figures the text stays below the 65,536 characters GitHub takes, whatever is in it. */
const mostLines = 20;
const longestWords = 300;

/**
 * The text of the dashboard issue. `ticked`: marks of boxes that stay ticked, because what they ask for is still to be
 * done. The same runs give the same text. Pure.
 */
export function renderDashboard(view: DashboardView, ticked: ReadonlySet<string>): string {
  const box = (verb: BoxVerb, words: string, run?: DispatchedRun) =>
    renderBox({ verb, ...(run && { run: run.id }) }, { words, ticked });
  const act = (verb: BoxVerb, ask: (name: string) => string) => (run: DispatchedRun) =>
    box(verb, `${ask(nameOf(run))}${wordsOf(run)}`, run);
  const parts = [
    dashboardMarker,
    intro,
    view.isPaused ? "**Paused: nothing starts until somebody ticks the last box.**" : "",
    section(
      "Working",
      view.working,
      act("cancel", (name) => `Stop ${name}`),
    ),
    section(
      "Waiting",
      view.waiting,
      act("skip", (name) => `Drop ${name}`),
    ),
    section(
      "Plans to read",
      view.plans,
      act("approve", (name) => `Go on with the plan of ${name}`),
    ),
    section(
      "Not done, or not all of it",
      view.failed,
      act("retry", (name) => `Try ${name} again`),
    ),
    section(
      "Ignored, because the pull request was closed",
      view.ignored,
      act("unignore", (name) => `Let ${name} be chosen again`),
    ),
    section("Chosen lately", view.chosen, (run) => `- ${nameOf(run)}${resultOf(run)}`),
    `### Today (UTC)\n\n${todayOf(view)}`,
    `### Everything\n\n${view.isPaused ? box("resume", "Go on") : box("pause", "Pause everything")}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

const intro =
  "What ralph does in this repository, as it is now. Tick a box to have something done: it counts for people with write permission, and is cleared once it is. Whoever does not want this issue closes it; it is brought up to date again when it is opened again.";

function section(
  title: string,
  runs: readonly DispatchedRun[],
  render: (run: DispatchedRun) => string,
): string {
  if (runs.length === 0) return "";
  const more = runs.length - mostLines;
  const rest = more > 0 ? [`- and ${more} more`] : [];
  return [`### ${title}`, "", ...runs.slice(0, mostLines).map(render), ...rest].join("\n");
}

const statesWithWords = {
  waiting: "",
  claimed: "queued",
  started: "started, waits for a runner",
  working: "working",
  publishing: "finished, being published",
  done: "",
  refused: "",
} as const satisfies Record<DispatchedRun["state"], string>;

/** GitHub shows the title of an issue or pull request that stands alone. */
function nameOf({ request: { issue, command }, pull }: DispatchedRun): string {
  if (issue !== undefined) return command === "autopilot" ? `#${issue} (autopilot)` : `#${issue}`;
  return pull ? `a report's item, #${pull.number}` : "the newest report";
}

/** How it stands, and why. */
function wordsOf(run: DispatchedRun): string {
  const { state, words, workflow, started_at: at } = run;
  const asker = run.request.actor?.login;
  const parts = [
    statesWithWords[state],
    state === "working" ? `since ${minuteOf(at)}` : "",
    workflow && state !== "done" && state !== "refused" ? `[workflow run](${urlOf(workflow)})` : "",
    asker && state !== "done"
      ? `asked for by \`${plainLine(asker, 100).replaceAll("`", "")}\``
      : "",
    words ? inert(words) : "",
  ].filter(Boolean);
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`;
}

function resultOf({ request, pull, tasks, cost_usd: cost, outcome }: DispatchedRun): string {
  const parts = [
    pull && request.issue !== undefined ? `pull request #${pull.number}` : "",
    outcome ? outcomes[outcome] : "",
    tasks ? `${tasks.passed} of ${counted(tasks.total, "task")} passed` : "",
    cost === undefined ? "" : dollars(cost),
  ].filter(Boolean);
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`;
}

const outcomes = {
  merged: "merged",
  rejected: "closed without a merge",
  "taken-over": "taken over by somebody",
} as const satisfies Record<NonNullable<DispatchedRun["outcome"]>, string>;

function todayOf({ today, limits }: DashboardView): string {
  const runs = `${counted(today.runs, "run")} started`;
  const spent = `${dollars(today.usd)} spent`;
  if (!limits) return `${runs}, ${spent}. \`.ralph/ralph.yml\` cannot be read.`;
  const { runs_per_day: most, budget_usd_per_day: budget, open_prs: open } = limits;
  const money = budget === null ? `${spent} (no limit is set)` : `${spent} of ${dollars(budget)}`;
  return `${runs} of at most ${most}, ${money}; at most ${counted(open, "pull request")} open at a time.`;
}

const dollars = (usd: number) => `$${usd.toFixed(2)}`;
const minuteOf = (time: number) => new Date(time).toISOString().slice(0, 16).replace("T", " ");

/** An address GitHub has told; whatever could end the link is written out. */
const urlOf = ({ url }: { url: string }) => encodeURI(url.slice(0, 300)).replace(/[()]/g, "");

/** Words that make no link, no image, no box and no mark, and call nobody. */
function inert(words: string): string {
  const written = plainLine(words, longestWords)
    .replaceAll("<", "&lt;")
    .replaceAll("[", "&#91;")
    .replaceAll("@", "@\u200b");
  return cut(written, longestWords);
}
