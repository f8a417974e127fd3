/** From and to, milliseconds since 1970. */
export type TimeSpan = { readonly from: number; readonly to: number };

/** Where moments stand in a chart that is `width` wide. Long breaks, as between two parts of a session, are cut short. */
export interface Axis {
  from: number;
  to: number;
  /** Breaks that were cut short. */
  breaks: readonly TimeSpan[];
  place: (moment: number) => number;
}

export const width = 1000;
/** A break is long when it is this part of all the work, and a minute at least. */
const longPart = 0.2;
const longMs = 60_000;
/** What is left of it in the chart, as a part of all the work. */
const shownPart = 0.02;

/** The axis on which all of these can be seen. */
export function createAxis(spans: readonly TimeSpan[]): Axis {
  const busy = merged(spans);
  const from = busy[0]?.from ?? 0;
  const to = busy.at(-1)?.to ?? 0;
  const work = busy.reduce((sum, span) => sum + span.to - span.from, 0);
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

/** What a break takes from the distance to a moment behind it, or within it. */
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
