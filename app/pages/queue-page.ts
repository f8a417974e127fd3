import { type Html, html } from "../../src/views/html/html.ts";
import { isolate } from "../../src/views/html/labels.ts";
import type { JobKind } from "../jobs/job.ts";
import { pushGroup, workGroup } from "../jobs/new-job.ts";
import type { ListedJob } from "../store/queue.ts";
import type { PageAnswer } from "../webhooks/route.ts";
import { hidden, renderAppPage } from "./frame/frame.ts";
import type { Readable } from "./list-readable.ts";
import { renderAgo } from "./run-labels.ts";
import { actOnForm, type PageParts, type Visit } from "./visit.ts";

/** Jobs shown per list. */
const maxJobs = 100;

/** `/queue`: the dead, running and waiting jobs. */
export async function queuePage(parts: PageParts, visit: Visit): Promise<PageAnswer> {
  const byGroup = groupsOf(visit.repositories);
  const groups = [...byGroup.keys()];
  const list = (state: ListedJob["state"]) =>
    parts.queue.list({ state, groups, limit: maxJobs + 1 });
  const [dead, active, ready] = [await list("dead"), await list("active"), await list("ready")];
  const shown = { byGroup, visit, now: parts.clock.now() };
  const main = html`
    <h1>Queue</h1>
    ${renderJobs(shown, { id: "dead", title: "Dead letters", none: "No dead letters.", jobs: dead })}
    ${renderJobs(shown, { id: "active", title: "Running", none: "No job is running.", jobs: active })}
    ${renderJobs(shown, { id: "ready", title: "Waiting", none: "No job is waiting.", jobs: ready })}`;
  return renderAppPage({ title: "Queue", main, session: visit.session, here: "/queue" });
}

/** `POST /queue/retry`: requeues a dead job, if the person may start work in its repository. */
export const retryJob = actOnForm({
  find: async (parts, { repositories }, form) => {
    const byGroup = groupsOf(repositories);
    const job = await findDead(parts, { id: form.get("id"), groups: [...byGroup.keys()] });
    const readable = job && byGroup.get(job.group);
    return readable && { job, place: readable.place };
  },
  act: async (parts, { job, place }, { login: actor }) => {
    await parts.queue.requeue(job.id);
    const { id: repository, repository: name } = place;
    parts.record("requeued", { job: job.id, kind: job.kind, repository, name, actor });
    return "/queue";
  },
});

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function findDead(
  { queue }: PageParts,
  { id, groups }: { id: string | null; groups: string[] },
): Promise<ListedJob | undefined> {
  if (id === null || !idForm.test(id)) return undefined;
  return (await queue.list({ state: "dead", groups, id, limit: 1 }))[0];
}

/** The groups with jobs of a repository. */
function groupsOf(repositories: Visit["repositories"]): Map<string, Readable> {
  return new Map(
    [...repositories].flatMap(([id, readable]) => [
      [workGroup({ id }), readable],
      [pushGroup({ id }), readable],
      [`deliveries:${id}`, readable],
    ]),
  );
}

type Shown = { byGroup: ReadonlyMap<string, Readable>; visit: Visit; now: number };
type Part = { id: string; title: string; none: string; jobs: readonly ListedJob[] };

function renderJobs(shown: Shown, { id, title, none, jobs }: Part): Html {
  const count = jobs.length > maxJobs ? `more than ${maxJobs}` : String(jobs.length);
  const items = jobs.slice(0, maxJobs).map((job) => renderJob(shown, job));
  return html`
    <section aria-labelledby="${id}"><h2 id="${id}">${title} <span class="quiet">${count}</span></h2>
    ${items.length > 0 ? html`<ol class="list">${items}</ol>` : html`<p class="quiet">${none}</p>`}
    </section>`;
}

const times = { ready: "due", active: "since", dead: "given up" } as const;

function renderJob({ byGroup, visit, now }: Shown, job: ListedJob): Html {
  const readable = byGroup.get(job.group);
  const mayRetry = job.state === "dead" && readable?.mayWrite;
  const attempts = job.attempt === 1 ? "1 attempt" : `${job.attempt} attempts`;
  return html`
    <li class="job">
    <h3>${labelOf(job.kind) ?? isolate(job.kind, 40)}</h3>
    <p class="line quiet"><span>${isolate(readable?.place.repository ?? "", 210)}</span><span>${attempts}</span>
    <span>${times[job.state]} ${renderAgo(job.at, now)}</span></p>
    ${job.error !== null && html`<p class="${job.state === "dead" ? "bad" : "warn"}">${isolate(job.error, 600)}</p>`}
    ${mayRetry && renderRetry(visit, job)}
    </li>`;
}

const renderRetry = ({ session }: Visit, { id, kind }: ListedJob): Html => html`
  <form method="post" action="/queue/retry">${hidden("token", session.formToken)}${hidden("id", id)}
  <button>Retry<span class="hidden">: ${labelOf(kind) ?? "this job"}</span></button></form>`;

/** A label for each kind of job; jobs of other versions have no label. */
const labels: Readonly<Partial<Record<JobKind, string>>> = {
  delivery: "Handle an event",
  start: "Start a run",
  workflow: "Follow a workflow run",
  steer: "Carry out a comment's command",
  explain: "Explain a command",
  report: "Start a run for a report",
  publish: "Read the result of a finished run",
  push: "Publish a finished run",
  settle: "Record the publication",
  continue: "Continue a run",
  welcome: "Check a new repository",
  offer: "Open the setup pull request",
  setup: "Open the setup pull request, as a comment asks",
  "pull-closed": "Record a closed pull request",
  "human-push": "Stop after a person's push",
  act: "Carry out an action of a run's page",
  dashboard: "Carry out ticked boxes",
  show: "Update the dashboard issue",
  recheck: "Recheck the repository",
  wake: "Retry waiting runs",
  schedule: "Serve the schedule",
};

const labelOf = (kind: string): string | undefined =>
  Object.entries(labels).find(([each]) => each === kind)?.[1];
