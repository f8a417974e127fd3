import { counted, dollars, renderDuration, renderMinute } from "../../src/text/figures.ts";
import { plainLine } from "../../src/text/plain-text.ts";
import { type Content, type Html, html } from "../../src/views/html/html.ts";
import { isolate, renderBadge } from "../../src/views/html/labels.ts";
import { type DispatchedRun, isOpen } from "../runs/dispatched-run.ts";
import { statusOf } from "../runs/run-status.ts";

/** The status as a sign, a word and a colour. */
export function renderRunStatus(run: DispatchedRun): Html {
  const status = statusOf(run);
  return renderBadge(status, isolate(status.headline, 120));
}

const longestTitle = 120;

/** The work of a run in one line, such as `#12: The list is empty`. */
export function titleOf({
  request: { item, issue, command },
  title,
  started_at,
}: DispatchedRun): string {
  if (command === "autopilot" && item === "reports") {
    const about = issue === undefined ? "" : ` or #${issue}`;
    return `Autopilot: newest report${about} of ${renderMinute(started_at).slice(0, 10)}`;
  }
  if (issue === undefined) return plainLine(item, longestTitle);
  return title ? `#${issue}: ${plainLine(title, longestTitle)}` : `Issue ${issue}`;
}

/** `3 of 5 tasks`, once they are counted. */
export const tasksOf = ({ tasks, state }: DispatchedRun): string => {
  if (tasks) return `${tasks.passed} of ${counted(tasks.total, "task")}`;
  return state === "done" || state === "refused" ? "no tasks" : "no tasks yet";
};

/** `$0.42`; a missing cost is unknown, not zero. */
export function costOf({ cost_usd: usd, workflow, state }: DispatchedRun): string {
  if (usd !== undefined) return dollars(usd);
  if (workflow && state !== "done") return "no cost yet";
  return workflow ? "cost unknown" : "no cost";
}

/** How long the run has taken so far, or took in total. */
export function timeOf(run: DispatchedRun, now: number): string {
  const isOver = !isOpen(run);
  const ms = Math.max(0, (isOver ? run.changed_at : now) - run.started_at);
  return isOver ? renderDuration(ms) : `${renderDuration(ms)} so far`;
}

const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
] as const;

/** `3 h ago`; the exact time is its title. */
export function renderAgo(at: number, now: number): Html {
  const exact = renderMinute(at);
  const unit = units.find(([ms]) => now - at >= ms);
  const text = unit ? `${Math.floor((now - at) / unit[0])} ${unit[1]} ago` : "just now";
  return html`<time datetime="${exact.replace(" ", "T")}Z" title="${exact} UTC">${at > now ? exact : text}</time>`;
}

/** The list of the runs that match a query. */
export const runsPath = (query: Record<string, string>): string => {
  const text = new URLSearchParams(query).toString();
  return text === "" ? "/" : `/?${text}`;
};

/** Links to GitHub, built only from names and numbers, never from stored addresses (T21). */
export interface GitHubLinks {
  repository: (run: DispatchedRun) => Html;
  issue: (run: DispatchedRun) => Html | undefined;
  workflow: (run: DispatchedRun) => Html | undefined;
  pull: (run: DispatchedRun) => Html | undefined;
}

/** Links to the given GitHub server. */
export function createGitHubLinks(serverUrl: string): GitHubLinks {
  const link = ({ place }: DispatchedRun, path: string, text: Content) => {
    const repository = place.repository.split("/").map(encodeURIComponent).join("/");
    return html`<a href="${serverUrl}/${repository}${path}">${text}</a>`;
  };
  return {
    repository: (run) => link(run, "", isolate(run.place.repository, 210)),
    issue: (run) => {
      const { issue } = run.request;
      return issue === undefined ? undefined : link(run, `/issues/${issue}`, `Issue ${issue}`);
    },
    workflow: (run) =>
      run.workflow && link(run, `/actions/runs/${run.workflow.run}`, "Workflow run"),
    pull: (run) =>
      run.pull && link(run, `/pull/${run.pull.number}`, `Pull request ${run.pull.number}`),
  };
}
