/** Start and end, milliseconds since 1970. */
export type TimeSpan = { readonly from: number; readonly to: number };

/** The time of all spans together, milliseconds. */
export const lengthOf = (spans: readonly TimeSpan[]): number =>
  spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** Maps times to positions in a chart of `width`. Long breaks, as between two parts of a session, are shortened. */
export interface Axis {
  from: number;
  to: number;
  breaks: readonly TimeSpan[];
  place: (moment: number) => number;
}

export const width = 1000;
/** A break is long from this part of all work, and a minute at least. */
const longPart = 0.2;
const longMs = 60_000;
/** The length of a shortened break, as a part of all work. */
const shownPart = 0.02;

/** The axis that covers all spans. */
export function createAxis(spans: readonly TimeSpan[]): Axis {
  const busy = merged(spans);
  const from = busy[0]?.from ?? 0;
  const to = busy.at(-1)?.to ?? 0;
  const work = lengthOf(busy);
  const shown = work * shownPart;
  const breaks = busy.flatMap(({ to: begin }, at) => {
    const end = busy[at + 1]?.from ?? begin;
    return end - begin > Math.max(longMs, work * longPart) ? [{ from: begin, to: end }] : [];
  });
  const shortened = (moment: number) =>
    breaks.reduce((at, gap) => at - cutAway(gap, { moment, shown }), moment - from);
  const length = shortened(to);
  const place = (moment: number) =>
    length > 0 ? Math.min(width, Math.max(0, (shortened(moment) / length) * width)) : 0;
  return { from, to, breaks, place };
}

/** By how much a break shortens the distance to a moment within or after it. */
function cutAway(gap: TimeSpan, { moment, shown }: { moment: number; shown: number }): number {
  const within = Math.min(moment, gap.to) - gap.from;
  return within <= 0 ? 0 : within * (1 - shown / (gap.to - gap.from));
}

function merged(spans: readonly TimeSpan[]): TimeSpan[] {
  const found: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else found.push({ from, to: Math.max(from, to) });
  }
  return found;
}
