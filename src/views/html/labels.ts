import { plainLine } from "../../text/plain-text.ts";
import { type Content, type Html, html } from "./html.ts";
import type { TaskLabel } from "./report-model.ts";

/** Good, doubtful, bad or neutral. */
export type Tone = "ok" | "warn" | "bad" | "quiet";

/** The sign and the colour of a status. */
export type StatusBadge = { mark: string; tone: Tone };

const states: Record<TaskLabel, StatusBadge> = {
  passed: { mark: "✓", tone: "ok" },
  "passed before": { mark: "✓", tone: "quiet" },
  failed: { mark: "✗", tone: "bad" },
  blocked: { mark: "✗", tone: "bad" },
  interrupted: { mark: "!", tone: "warn" },
  running: { mark: "…", tone: "warn" },
  "not begun": { mark: "○", tone: "quiet" },
};

export const markOf = (state: TaskLabel) => states[state].mark;
export const toneOf = (state: TaskLabel) => states[state].tone;

/** `✓ passed`: mark, label and colour agree. */
export const renderBadge = ({ mark, tone }: StatusBadge, label: Content): Html =>
  html`<span class="state ${tone}"><span aria-hidden="true">${mark}</span> ${label}</span>`;

export const renderTaskStatus = (state: TaskLabel): Html => renderBadge(states[state], state);

/** The sign and the colour of a task's state, which another version may have written. */
export const badgeOf = (state: string): StatusBadge =>
  new Map<string, StatusBadge>(Object.entries(states)).get(state) ?? states["not begun"];

/** Figures side by side, each with its name. */
export const renderFigures = (figures: readonly (readonly [string, Content])[]): Html =>
  html`<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** Untrusted text, isolated so that it cannot change the direction of the text around it. */
export const isolate = (text: string, max = 200): Html => html`<bdi>${plainLine(text, max)}</bdi>`;

/** A sentence with commands between backticks. */
export function withCode(sentence: string): Html {
  const parts = sentence.split(/`([^`]+)`/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** A table that scrolls sideways, also by keyboard. */
export function renderTable(
  { caption, head }: { caption: string; head: readonly Html[] },
  rows: readonly Html[],
): Html | undefined {
  if (rows.length === 0) return undefined;
  return html`
    <div class="scroll" role="group" aria-label="${caption}" tabindex="0">
    <table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>
    </div>`;
}

export const head = (text: string): Html => html`<th scope="col">${text}</th>`;
export const numHead = (text: string): Html => html`<th scope="col" class="num">${text}</th>`;
export const cell = (content: Html | string): Html => html`<td>${content}</td>`;
export const numCell = (content: Html | string): Html => html`<td class="num">${content}</td>`;
