import { type Html, html } from "../../src/views/html/html.ts";
import { isolate } from "../../src/views/html/labels.ts";
import { jobId, repositoryJob } from "../jobs/new-job.ts";
import { type DispatchedRun, isOpen } from "../runs/dispatched-run.ts";
import { statusOf } from "../runs/run-status.ts";
import type { PageAnswer } from "../webhooks/route.ts";
import { findAskedRun } from "./find-runs.ts";
import { hidden, notFoundPage, renderAppPage } from "./frame/frame.ts";
import { titleOf } from "./run-labels.ts";
import { actOnForm, type PageParts, type Visit } from "./visit.ts";

/** The actions that a run's page offers. */
type RunAction = "cancel" | "retry";

/** The action that a run allows now; undefined for other runs. */
function actionOf(run: DispatchedRun): RunAction | undefined {
  if (isOpen(run)) return run.cancelled_by === undefined ? "cancel" : undefined;
  const { kind } = statusOf(run);
  return kind === "merged" || kind === "open" || kind === "nothing-to-do" ? undefined : "retry";
}

const words = {
  cancel: { title: "Cancel this run", button: "Cancel the run" },
  retry: { title: "Retry this run", button: "Retry the run" },
} as const;

const effects = {
  cancel: "Its workflow is stopped; the tasks that have passed are kept.",
  retry: "It continues its session if there is one, else it starts over. This costs money.",
} as const;

/** Links to the page that asks for confirmation. */
export function renderActions(run: DispatchedRun): Html | undefined {
  const action = actionOf(run);
  return (
    action &&
    html`<p><a class="button" href="/runs/${run.id}/${action}">${words[action].title}…</a></p>`
  );
}

async function findAction(parts: PageParts, visit: Visit, action: RunAction) {
  const run = await findAskedRun(parts, visit);
  return run && actionOf(run) === action ? run : undefined;
}

/** `/runs/<id>/cancel` and `/runs/<id>/retry`: asks for confirmation. */
export const confirmAction =
  (action: RunAction) =>
  async (parts: PageParts, visit: Visit): Promise<PageAnswer> => {
    const run = await findAction(parts, visit, action);
    const { session } = visit;
    if (!run) return notFoundPage(session);
    const { title, button } = words[action];
    const main = html`
      <h1>${title}</h1><p>${isolate(titleOf(run), 200)} of ${isolate(run.place.repository, 210)}</p>
      <p>${effects[action]}</p>
      <form method="post" action="/runs/${run.id}/${action}">${hidden("token", session.formToken)}
      <p class="pages"><button>${button}</button> <a class="button" href="/runs/${run.id}">Back</a></p></form>`;
    return renderAppPage({ title, main, session });
  };

/** Queues the action, if the person may do it now; the job checks that again. */
export const takeAction = (action: RunAction) =>
  actOnForm({
    find: (parts, visit) => findAction(parts, visit, action),
    act: async (parts, run, actor) => {
      const data = { place: run.place, run: run.id, action, actor };
      const id = jobId("act", run.id, action, run.changed_at);
      await parts.queue.add([repositoryJob(id, { kind: "act", data })]);
      return `/runs/${run.id}`;
    },
  });
