import { type Html, html } from "../../src/views/html/html.ts";
import { dayMs } from "../runs/day-totals.ts";

/** Days (UTC) of which a page shows the runs; milliseconds since 1970. */
export interface DaySpan {
  from: number;
  /** The end of the last day. */
  to: number;
  isToday: boolean;
}

/** Spans in days that are a click away; 1 is today. */
const offered = [1, 7, 30, 90] as const;

/** The days in a link: `days=7` ends today, `from` and `to` are any days; today for everything else. Pure. */
export function readSpan(query: URLSearchParams, now: number): DaySpan {
  const end = (Math.floor(now / dayMs) + 1) * dayMs;
  const [first, last] = [parseDay(query.get("from")), parseDay(query.get("to"))];
  if (first === undefined && last === undefined) {
    const days = offered.find((each) => String(each) === query.get("days")) ?? 1;
    return { from: end - days * dayMs, to: end, isToday: days === 1 };
  }
  const to = (last ?? end - dayMs) + dayMs;
  const from = Math.min(first ?? 0, to - dayMs);
  return { from, to, isToday: from === end - dayMs && to === end };
}

/** The start of a day (UTC) such as `2026-01-25`, milliseconds since 1970; undefined for an invalid day. */
export function parseDay(text: string | null): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text ?? "") ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

const nameOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** `Today`, or the first and the last day. */
export function titleOfSpan({ from, to, isToday }: DaySpan): string {
  if (isToday) return "Today";
  const [first, last] = [nameOf(from), nameOf(to - dayMs)];
  return first === last ? first : `${from === 0 ? "Everything" : first} until ${last}`;
}

/** Links to the usual spans, and a form for any other. */
export function renderSpans({ from, to, isToday }: DaySpan): Html {
  const days = (to - from) / dayMs;
  const links = offered.map((each) => {
    const [label, link] =
      each === 1 ? ["Today", "/today"] : [`${each} days`, `/today?days=${each}`];
    return each === days && (each !== 1 || isToday)
      ? html`<a class="button" href="${link}" aria-current="page">${label}</a>`
      : html`<a class="button" href="${link}">${label}</a>`;
  });
  return html`
    <nav class="pages" aria-label="Time span">${links}</nav>
    <details class="fold"><summary>Other days</summary>
    <form class="filter" method="get" action="/today">
    <p class="day"><label for="from">From</label> <input id="from" name="from" type="date" value="${from === 0 ? "" : nameOf(from)}"></p>
    <p class="day"><label for="to">Until</label> <input id="to" name="to" type="date" value="${nameOf(to - dayMs)}"></p>
    <button>Show</button></form></details>`;
}
