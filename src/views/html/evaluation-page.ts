import {
  type EvaluationFigures,
  type EvaluationRun,
  evaluationFigures,
  evaluationVerdict,
  isRightlyBlocked,
} from "../../core/checks/evaluation-score.ts";
import { counted } from "../../text/figures.ts";
import {
  describeRun,
  figureCells,
  figureHeads,
  impossibleLine,
} from "../summary/evaluation-text.ts";
import { type Html, html } from "./html.ts";
import { cell, head, isolate, numCell, numHead, renderTable } from "./labels.ts";
import { renderPage } from "./page.ts";

/** An evaluation as one HTML file: a plot, the table, and what became of each task. */
export function renderEvaluationPage(
  runs: readonly EvaluationRun[],
  { project, made }: { project: string; made: string },
): string {
  const figures = evaluationFigures(runs);
  const tasks = new Set(runs.map(({ task }) => task)).size;
  const body = html`
    <header><h1>Evaluation of ${isolate(project)}</h1>
    <p>${counted(figures.length, "agent")}, ${counted(tasks, "task")}, ${made}. Tests that no agent saw judge each result.</p></header>
    <main>
    <h2>Result</h2>
    ${figures.map(renderBar)}
    ${key}
    ${renderCosts(figures)}
    ${renderTable({ caption: "Figures", head: figureHeads.map((name, at) => (at === 0 ? head(name) : numHead(name))) }, figures.map(renderRow))}
    ${figures.flatMap(impossibleLine).map((line) => html`<p>${isolate(line)}</p>`)}
    <h2>Tasks</h2>
    ${figures.map(({ agent }) =>
      renderTasks(
        runs.filter((run) => run.agent === agent),
        agent,
      ),
    )}
    </main>`;
  return renderPage({ title: `Evaluation of ${project}`, body });
}

const parts: { name: string; tone: string; count: (figures: EvaluationFigures) => number }[] = [
  { name: "proved", tone: "fine", count: ({ proved }) => proved },
  { name: "falsely proved", tone: "fault", count: ({ falsely_proved }) => falsely_proved },
  { name: "unclear", tone: "gate", count: ({ unclear }) => unclear },
  { name: "rightly blocked", tone: "work", count: ({ impossible_blocked }) => impossible_blocked },
  { name: "not proved", tone: "open", count: (each) => each.not_proved - each.impossible_blocked },
];

function renderBar(figures: EvaluationFigures): Html {
  let from = 0;
  const pieces = parts.map(({ name, tone, count }) => {
    const width = (100 * count(figures)) / figures.tasks;
    const piece = html`<rect class="${tone}" x="${from}" y="0" width="${width}" height="10"><title>${count(figures)} ${name}</title></rect>`;
    from += width;
    return width > 0 ? piece : undefined;
  });
  const label = parts.map(({ name, count }) => `${count(figures)} ${name}`).join(", ");
  return html`
    <div class="plain"><div class="row"><h3><b>${isolate(figures.agent)}</b></h3><span class="time">${figures.proved} of ${figures.tasks - figures.impossible} proved</span></div>
    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${figures.agent}: ${label}">${pieces}</svg></div>`;
}

const key = html`
  <ul class="key">${parts.map(
    ({ name, tone }) => html`
    <li><svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><rect class="${tone}" width="1" height="1"/></svg>${name}</li>`,
  )}</ul>`;

const plot = { width: 600, height: 240, left: 50, bottom: 40, top: 15, right: 90 };

/** Share of the possible tasks that are proved, over the cost of each; only where agents report one. */
function renderCosts(figures: readonly EvaluationFigures[]): Html | undefined {
  const known = figures.flatMap((each) =>
    each.usd_per_proved === null ? [] : [{ ...each, usd: each.usd_per_proved }],
  );
  if (known.length === 0) return undefined;
  const { width, height, left, bottom, top, right } = plot;
  const most = Math.max(...known.map(({ usd }) => usd)) || 1;
  const x = (usd: number) => left + (usd / most) * (width - left - right);
  const y = (share: number) => height - bottom - share * (height - bottom - top);
  return html`
    <h3>Share of proved tasks, by dollars for each</h3>
    <svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Share of proved tasks by dollars for each proved task">
    <path d="M${left} ${top}V${height - bottom}H${width - right}" fill="none" stroke="currentColor"/>
    <text x="${left - 8}" y="${y(1) + 4}" text-anchor="end" fill="currentColor" font-size="13">100 %</text>
    <text x="${left - 8}" y="${y(0) + 4}" text-anchor="end" fill="currentColor" font-size="13">0</text>
    <text x="${left}" y="${height - bottom + 18}" fill="currentColor" font-size="13">$0</text>
    <text x="${x(most)}" y="${height - bottom + 18}" text-anchor="middle" fill="currentColor" font-size="13">$${most.toFixed(2)}</text>
    ${known.map(
      ({ agent, usd, proved, tasks, impossible }) => html`
      <circle class="work" cx="${x(usd)}" cy="${y(proved / (tasks - impossible))}" r="6"/>
      <text x="${x(usd) + 10}" y="${y(proved / (tasks - impossible)) + 4}" fill="currentColor" font-size="13">${agent}</text>`,
    )}</svg>`;
}

function renderRow(figures: EvaluationFigures): Html {
  const [agent = "", ...rest] = figureCells(figures);
  return html`<tr>${cell(isolate(agent))}${rest.map((text) => numCell(text))}</tr>`;
}

const tones = {
  proved: "ok",
  "falsely proved": "bad",
  unclear: "quiet",
  "not proved": "warn",
} as const;

function renderTasks(runs: readonly EvaluationRun[], agent: string): Html | undefined {
  const rows = runs.map((run) => {
    const tone = isRightlyBlocked(run) ? "ok" : tones[evaluationVerdict(run)];
    return html`<tr>${cell(isolate(run.task))}${cell(html`<span class="${tone}">${isolate(describeRun(run), 300)}</span>`)}</tr>`;
  });
  return renderTable({ caption: agent, head: [head("Task"), head("What became of it")] }, rows);
}
