import { renderDuration } from "../../text/figures.ts";
import { type Axis, lengthOf, width } from "./axis.ts";
import type { Bar } from "./bars.ts";
import { type Content, type Html, html, ownMarkup } from "./html.ts";

/** A narrower bar is invisible on a phone. */
const minWidth = 3;
const maxBars = 200;

/** All bars of a task in one line, or one long bar if there are too many. Failures differ in height and colour. */
export function renderStrip(bars: readonly Bar[], axis: Axis, max = maxBars): Html {
  const groups = [...Map.groupBy(bars, ({ tone, isBad }) => (isBad ? "fault" : tone))];
  const boxes = groups.map(([name, group]) => ({
    name,
    drawn: new Set(group.map((bar) => box(bar, axis))),
  }));
  const count = boxes.reduce((sum, { drawn }) => sum + drawn.size, 0);
  if (count > max) return svg(path("gate", box(wholeOf(bars), axis)));
  return svg(boxes.map(({ name, drawn }) => path(name, [...drawn].join(""))));
}

/** The span from the first bar to the last. */
export function wholeOf(bars: readonly Bar[]): Pick<Bar, "from" | "to" | "isBad"> {
  const from = bars.reduce((least, bar) => Math.min(least, bar.from), Number.POSITIVE_INFINITY);
  const to = bars.reduce((most, bar) => Math.max(most, bar.to), Number.NEGATIVE_INFINITY);
  return { from, to, isBad: false };
}

/** One bar for each of many tasks. */
export function renderStretches(
  stretches: readonly { from: number; to: number; name: "fine" | "fault" | "open" }[],
  axis: Axis,
): Html {
  const paths = Map.groupBy(stretches, ({ name }) => name);
  // Failures are drawn last, over the others.
  const drawn = (["fine", "open", "fault"] as const).flatMap((name) => {
    const group = paths.get(name) ?? [];
    const isBad = name !== "fine";
    const boxes = group.map((each) => box({ ...each, isBad }, axis));
    return boxes.length > 0 ? path(name, boxes.join("")) : [];
  });
  return svg(drawn);
}

/** A line for each activity of a task: its bars, and their count and duration as text. */
export function renderLanes(bars: readonly Bar[], axis: Axis): Html | undefined {
  if (bars.length === 0) return undefined;
  const lanes = [...Map.groupBy(bars, ({ lane }) => lane)].slice(0, 12);
  return html`<ul class="lanes">${lanes.map(
    ([lane, group]) => html`
    <li><bdi>${lane}</bdi>
    ${svg(group.slice(-maxBars).map((bar) => lanePath(bar, axis)))}
    <span class="quiet">${laneLabel(group)}</span></li>`,
  )}</ul>`;
}

function lanePath(bar: Bar, axis: Axis): Html {
  const name = bar.isBad ? "fault" : bar.tone;
  const title = html`<title>${bar.outcome}, ${renderDuration(bar.to - bar.from)}</title>`;
  return path(name, box(bar, axis), title);
}

function laneLabel(bars: readonly Bar[]): string {
  const bad = bars.filter(({ isBad }) => isBad).length;
  const times = bars.length === 1 ? "once" : `${bars.length} times`;
  return `${times}, ${renderDuration(lengthOf(bars))}${bad > 0 ? `, ✗ ${bad}` : ""}`;
}

/** A bar for a part of the largest amount. */
export function renderShare(part: number, whole: number): Html | undefined {
  if (!(part > 0) || !(whole > 0)) return undefined;
  const length = Math.max(minWidth, round((part / whole) * width));
  return html`<svg class="price" viewBox="0 0 ${width} 10" preserveAspectRatio="none" aria-hidden="true">
    <path d="M0 0h${length}v10h-${length}z"></path></svg>`;
}

/** A bar of this kind for the legend. */
export function renderKey(name: Bar["tone"] | "fault" | "fine" | "open"): Html {
  const isBad = name === "fault" || name === "open";
  const d = isBad ? "M250 0h500v10h-500z" : "M250 2.5h500v5h-500z";
  return svg([path(name, d)], "");
}

// Hidden from screen readers: the text beside it holds the same facts.
const svg = (content: Content, name = "bar"): Html =>
  html`<svg class="${name}" viewBox="0 0 ${width} 10" preserveAspectRatio="none" aria-hidden="true">${content}</svg>`;

const path = (name: string, d: string, content?: Content): Html =>
  html`<path class="${name}" d="${ownMarkup(d)}">${content}</path>`;

function box({ from, to, isBad }: Pick<Bar, "from" | "to" | "isBad">, axis: Axis): string {
  const begin = Math.min(round(axis.place(from)), width - minWidth);
  const length = round(Math.max(minWidth, axis.place(to) - begin));
  const [top, height] = isBad ? [0, 10] : [2.5, 5];
  return `M${begin} ${top}h${length}v${height}h-${length}z`;
}

const round = (figure: number) => Math.round(figure * 10) / 10;
