import { counted, shortCommit } from "../../text/figures.ts";
import { countFailures } from "./failures.ts";
import { type Html, html } from "./html.ts";
import { isolate, renderTaskStatus } from "./labels.ts";
import { type ReportModel, type TaskReport, unfinishedTasks } from "./report-model.ts";

/** So many are shown at once, the others unfold. */
const maxOpen = 5;
/** More are only counted; each has its place among the tasks. */
const maxShown = 30;
/** The last words of so many can be read without unfolding them. */
const maxSpoken = 3;

/** What did not pass: why, how often it was tried, the last words, and where its work is. */
export function renderFailedTasks({ summary: { head }, ...story }: ReportModel): Html | undefined {
  const troubled = unfinishedTasks(story);
  if (troubled.length === 0) return undefined;
  const told = troubled.slice(0, maxShown).map(
    (task, at) => html`
      <div class="trouble">${renderReason(task)}${renderLastWords(task, at)}${renderKept(task, head)}</div>`,
  );
  return html`
    <section aria-labelledby="stopped"><h2 id="stopped">What stopped</h2>
    ${told.slice(0, maxOpen)}
    ${told.length > maxOpen && renderOthers(told.slice(maxOpen), troubled.length - maxOpen)}
    </section>`;
}

function renderOthers(told: readonly Html[], count: number): Html {
  const left = count - told.length;
  return html`
    <details><summary>${count} more did not pass</summary>
    ${told}${left > 0 && html`<p>And ${left} more, which are marked among the tasks.</p>`}
    </details>`;
}

function renderReason({ summary, task: run, state, failures }: TaskReport): Html {
  const { id, title, iterations } = summary;
  const tried = countFailures(failures);
  const words = iterations === 0 ? tried : `${counted(iterations, "iteration")}: ${tried}`;
  return html`
    <h3><a href="#${id}">${id}</a> ${renderTaskStatus(state)}: ${isolate(title)}</h3>
    ${run.message !== undefined && html`<p>${isolate(run.message, 400)}</p>`}
    ${tried !== "" && html`<p>${words}.</p>`}`;
}

/** Only where they say more than the message does. */
function renderLastWords({ failures, task: run }: TaskReport, at: number): Html | undefined {
  const last = failures.at(-1);
  if (!last || run.message?.includes(last.message)) return undefined;
  const inside = html`
    <summary>Last words, iteration ${last.iteration}, ${last.cause}</summary>
    <pre>${last.message}</pre>`;
  return at < maxSpoken
    ? html`<details open>${inside}</details>`
    : html`<details>${inside}</details>`;
}

function renderKept(
  { summary: { kept, kept_from: from } }: TaskReport,
  head: string,
): Html | undefined {
  if (kept === null) return undefined;
  return html`<p>Its work is kept: <code>git diff ${from ?? head} ${shortCommit(kept)}</code></p>`;
}
