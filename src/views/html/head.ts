import { stopMeanings } from "../../error.ts";
import { counted, renderCost, renderDuration } from "../../text/figures.ts";
import { cut, plainText } from "../../text/plain-text.ts";
import { levelOf } from "../pull-request/pull-proof.ts";
import { shownOutcome } from "../summary/gate-facts.ts";
import type { Outcome } from "../summary/outcome.ts";
import { lengthOf } from "./axis.ts";
import { type Html, html } from "./html.ts";
import { isolate, type Tone, withCode } from "./labels.ts";
import { newlyPassed, type ReportModel, type TaskReport } from "./report-model.ts";

/** The verdict on a session: label, mark and colour. Green only if a task passed and gates ran. */
export function sessionVerdict({ summary, isInterrupted }: ReportModel) {
  const { status, tasks_completed, tasks_total } = summary;
  // The journal of a bundle may claim more than its tasks show.
  const isUntrue = status === "completed" && tasks_completed < tasks_total;
  const look = verdicts[isInterrupted || isUntrue ? "partial" : shownOutcome(summary)];
  return { word: isInterrupted ? "interrupted" : status.replaceAll("_", " "), ...look };
}

const verdicts: Record<Outcome, { mark: string; tone: Tone }> = {
  completed: { mark: "✓", tone: "ok" },
  running: { mark: "…", tone: "quiet" },
  nothing_to_do: { mark: "–", tone: "quiet" },
  partial: { mark: "!", tone: "warn" },
  blocked: { mark: "✗", tone: "bad" },
  failed: { mark: "✗", tone: "bad" },
  aborted: { mark: "✗", tone: "bad" },
};

/** The request, the outcome and the next step. */
export function renderHead(model: ReportModel): Html {
  const { session } = model.state;
  return html`
    <header>
    <p class="quiet">ralph session ${isolate(session.session_id, 60)}</p>
    <h1>${isolate(session.project)}</h1>
    <p><bdi>${cut(plainText(session.description.slice(0, 8000)).trim(), 800)}</bdi></p>
    </header>
    ${renderVerdict(model)}
    ${renderFigures(model)}`;
}

function renderVerdict(model: ReportModel): Html {
  const { summary, isInterrupted } = model;
  const { word, mark, tone } = sessionVerdict(model);
  const { stop_reason: reason, exit_code: code } = summary;
  const { tasks_completed: passed, tasks_total: total } = summary;
  const next = isInterrupted ? "Continue with `ralph run --resume`." : summary.next;
  const message = isInterrupted
    ? "The session has no end: it was killed, or its machine was lost."
    : summary.message;
  return html`
    <section class="verdict ${tone}" aria-label="Outcome">
    <p class="word"><span aria-hidden="true">${mark}</span> ${word}: ${passed} of ${counted(total, "task")} passed</p>
    <p>${withCode(message)}</p>
    ${reason && html`<p class="quiet">Exit code ${code ?? ""}: ${stopMeanings[reason]}.</p>`}
    <p class="next"><b>Next:</b> ${withCode(next)}</p>
    </section>`;
}

type Figure = { name: string; value: string; note?: string | undefined };

function renderFigures(model: ReportModel): Html {
  const { summary } = model;
  const cost = summary.calls?.length === 0 ? "none" : renderCost(summary.cost_usd ?? undefined);
  const figures: Figure[] = [
    tasksFigure(model),
    criteriaFigure(model),
    { name: "Cost", value: cost },
    { name: "Time", value: renderDuration(summary.duration_ms), note: breakNote(model) },
    { name: "Iterations", value: String(summary.iterations) },
  ];
  const level = newlyPassed(model).length > 0 ? levelOf(undefined) : "Nothing is proved.";
  return html`
    <dl class="figures">${figures.map(
      ({ name, value, note }) => html`
      <div><dt>${name}</dt><dd>${value}</dd>${note && html`<dd class="quiet note">${note}</dd>`}</div>`,
    )}</dl>
    <p class="quiet">${level}</p>`;
}

function tasksFigure({ summary, tasks }: ReportModel): Figure {
  const { tasks_completed: completed, tasks_total: total } = summary;
  const before = completed - newlyPassed({ tasks }).length;
  const note = before > 0 ? `${before} of them before this session` : undefined;
  return { name: "Tasks passed", value: `${completed} of ${total}`, note };
}

/** Counts all criteria, including those of tasks that never started. */
function criteriaFigure({ tasks }: ReportModel): Figure {
  const asked = tasks.filter(({ state }) => state !== "passed before");
  const sum = (count: (task: TaskReport) => number) =>
    asked.reduce((total, task) => total + count(task), 0);
  const total = sum(({ summary }) => summary.criteria.length);
  const judged = sum(({ summary }) => summary.criteria_count.judged);
  const unchecked = total - sum(({ summary }) => summary.criteria_count.total);
  const notes = [
    judged > 0 && `${judged} left to the review`,
    unchecked > 0 && `${unchecked} not checked`,
  ];
  return {
    name: "Criteria proved",
    value: `${sum(({ summary }) => summary.criteria_count.proved)} of ${total}`,
    note: notes.filter(Boolean).join(", ") || undefined,
  };
}

function breakNote({ axis }: ReportModel): string | undefined {
  const ms = lengthOf(axis.breaks);
  return ms > 0 ? `${renderDuration(ms)} of it idle` : undefined;
}
