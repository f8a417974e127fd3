import { counted, shortCommit } from "../../text/figures.ts";
import { proofGaps, rangesOf } from "../summary/gate-facts.ts";
import { countFailures } from "./failures.ts";
import { type Content, type Html, html } from "./html.ts";
import { isolate, renderTaskStatus } from "./labels.ts";
import { type ReportModel, type TaskReport, unfinishedTasks } from "./report-model.ts";

/** The others unfold. */
const maxOpen = 5;
/** The others are only counted here; each is also in the list of tasks. */
const maxShown = 30;
/** The last messages of so many tasks are unfolded. */
const maxUnfolded = 3;

/** The tasks that did not pass: the reason, the attempts, the last message, and the kept work. */
export function renderFailedTasks({ summary: { head }, ...model }: ReportModel): Html | undefined {
  const troubled = unfinishedTasks(model);
  if (troubled.length === 0) return undefined;
  const shown = troubled.slice(0, maxShown).map(
    (task, at) => html`
      <div class="trouble">${renderReason(task)}${renderLastMessage(task, at)}${renderKept(task, head)}</div>`,
  );
  return html`
    <section aria-labelledby="stopped"><h2 id="stopped">What stopped</h2>
    ${shown.slice(0, maxOpen)}
    ${shown.length > maxOpen && renderOthers(shown.slice(maxOpen), troubled.length - maxOpen)}
    </section>`;
}

function renderOthers(shown: readonly Html[], count: number): Html {
  const left = count - shown.length;
  return html`
    <details><summary>${count} more did not pass</summary>
    ${shown}${left > 0 && html`<p>And ${left} more, see the list of tasks.</p>`}
    </details>`;
}

function renderReason({ summary, task: run, state, failures }: TaskReport): Html {
  const { id, title, iterations } = summary;
  const tried = countFailures(failures);
  const attempts = iterations === 0 ? tried : `${counted(iterations, "iteration")}: ${tried}`;
  return html`
    <h3><a href="#${id}">${id}</a> ${renderTaskStatus(state)}: ${isolate(title)}</h3>
    ${run.message !== undefined && html`<p>${isolate(run.message, 400)}</p>`}
    ${tried !== "" && html`<p>${attempts}.</p>`}`;
}

/** Left out if the message of the task contains it. */
function renderLastMessage({ failures, task: run }: TaskReport, at: number): Html | undefined {
  const last = failures.at(-1);
  if (!last || run.message?.includes(last.message)) return undefined;
  return html`
    <details${at < maxUnfolded && html` open`}>
    <summary>Last message, iteration ${last.iteration}, ${last.cause}</summary>
    <pre>${last.message}</pre></details>`;
}

function renderKept({ summary: { kept, kept_from: from } }: TaskReport, head: string) {
  if (kept === null) return undefined;
  return html`<p>Its work is kept: <code>git diff ${from ?? head} ${shortCommit(kept)}</code></p>`;
}

const maxWarnings = 20;

/** Facts that a reader must know: open tasks, unproved criteria, red gates, warnings. */
export function renderRemainingWork(model: ReportModel): Html | undefined {
  const { summary } = model;
  const leftOut = summary.left_out.map(
    ({ id, because, title }) => html`${id} (${isolate(because, 200)}): ${isolate(title, 200)}`,
  );
  const warnings = summary.warnings
    .slice(0, maxWarnings)
    .map((text) => html`<span class="warn">Warning:</span> ${isolate(text, 400)}`);
  const more = summary.warnings.length - warnings.length;
  const lines: Content[] = [
    ...leftOut,
    ...openTasks(model),
    ...proofGaps(summary),
    ...warnings,
    ...(more > 0 ? [`${counted(more, "more warning")}`] : []),
  ];
  if (lines.length === 0) return undefined;
  return html`
    <section aria-labelledby="missing"><h2 id="missing">What is missing</h2>
    <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></section>`;
}

function openTasks(model: ReportModel): string[] {
  const shown = new Set<TaskReport>(unfinishedTasks(model));
  const open = model.tasks.filter((task) => task.summary.state !== "passed" && !shown.has(task));
  return [...Map.groupBy(open, ({ state }) => state)].map(
    ([state, tasks]) => `${rangesOf(tasks.map(({ summary }) => summary))}: ${state}`,
  );
}
