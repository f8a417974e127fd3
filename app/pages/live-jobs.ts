import { unlessExpected } from "../../src/github/api/expected-refusals.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import type { Clock } from "../../src/platform/system.ts";
import { renderDuration } from "../../src/text/figures.ts";
import { type Html, html } from "../../src/views/html/html.ts";
import { isolate, renderBadge, type StatusBadge } from "../../src/views/html/labels.ts";
import type { Access } from "../access/access.ts";
import { createCache } from "../access/cache.ts";
import { type DispatchedRun, isOpen } from "../runs/dispatched-run.ts";

/** A job of a workflow run as GitHub reports it now. */
interface LiveJob {
  name: string;
  /** `queued`, `in_progress`, `completed`, … */
  status: string;
  conclusion: string | null;
  /** Milliseconds since 1970; undefined before it begins. */
  startedAt: number | undefined;
  endedAt: number | undefined;
}

/** The jobs of a run's workflow while it is under way; undefined if GitHub does not say. */
export type FindLiveJobs = (run: DispatchedRun) => Promise<readonly LiveJob[] | undefined>;

/** Many people may watch one run. */
const keptMs = 10_000;
const maxRuns = 200;

/** Asks GitHub for the jobs of a run at most every ten seconds. */
export function createLiveJobs(
  access: Pick<Access, "github">,
  clock: Pick<Clock, "now">,
): FindLiveJobs {
  const known = createCache<number, LiveJob[] | undefined>({ clock, keptMs, most: maxRuns });
  return async (run) => {
    const id = run.workflow?.run;
    if (id === undefined || !isOpen(run) || run.state === "waiting") return undefined;
    // The page can do without them.
    return known(id, () => unlessExpected(isRefused, readLiveJobs(access, run)));
  };
}

async function readLiveJobs(
  access: Pick<Access, "github">,
  { place, workflow: { run, attempt } = { run: 0, attempt: 0, url: "" } }: DispatchedRun,
): Promise<LiveJob[]> {
  const github = await access.github(place);
  const wanted = { ...github.repo, run_id: run, attempt_number: attempt, per_page: 50 };
  const { data } = await github.ask(
    { act: `list the jobs of run ${run}`, permission: "actions: read", reason: "claim" },
    ({ rest }) => rest.actions.listJobsForWorkflowRunAttempt(wanted),
  );
  return data.jobs.map(({ name, status, conclusion, started_at: from, completed_at: to }) => ({
    ...{ name, status, conclusion },
    ...{ startedAt: timeOf(from), endedAt: timeOf(to) },
  }));
}

const isRefused = (error: unknown) => httpStatusOf(error) !== undefined;

const timeOf = (text: string | null | undefined) => (text ? Date.parse(text) : undefined);

const badges: Readonly<Record<string, StatusBadge>> = {
  success: { mark: "✓", tone: "ok" },
  failure: { mark: "✗", tone: "bad" },
  timed_out: { mark: "✗", tone: "bad" },
  cancelled: { mark: "■", tone: "warn" },
  skipped: { mark: "–", tone: "quiet" },
  in_progress: { mark: "…", tone: "warn" },
};
const otherBadge: StatusBadge = { mark: "○", tone: "quiet" };

/** The present step of each job of the workflow, and its duration. */
export function renderLiveJobs(
  jobs: readonly LiveJob[] | undefined,
  now: number,
): Html | undefined {
  if (!jobs || jobs.length === 0) return undefined;
  const items = jobs.map(({ name, status, conclusion, startedAt, endedAt }) => {
    const badge = badges[conclusion ?? status] ?? otherBadge;
    const word = isolate((conclusion ?? status).replaceAll("_", " "), 40);
    const took = startedAt === undefined ? 0 : Math.max(0, (endedAt ?? now) - startedAt);
    const isBegun = status !== "queued" && took > 0;
    return html`<li><p class="line"><strong>${isolate(name, 100)}</strong>${renderBadge(badge, word)}${isBegun && html`<span class="quiet">${renderDuration(took)}</span>`}</p></li>`;
  });
  return html`<section aria-labelledby="jobs"><h2 id="jobs">Jobs</h2><ol class="list">${items}</ol></section>`;
}
