import { renderHtmlReport } from "../../../src/views/html/report.ts";
import { slimEvent } from "../../../src/views/html/slim-event.ts";
import { longSession } from "../../../test/views/html/long-session.ts";
import { median } from "./measure.ts";
import type { Effort } from "./overhead.ts";
import { type Row, row } from "./row.ts";

/** The page of a long session: the time to write it, its size, and the cost of each task. */
export function measureReport({ tasks, rounds }: Effort): Row[] {
  const { state, events } = longSession(tasks);
  const given = { events, journal: undefined, isAlive: false, pictures: new Map() };
  const renders = Array.from({ length: 3 * rounds }, () =>
    timed(() => renderHtmlReport(state, given)),
  );
  const [first] = renders;
  const ms = median(renders.map((each) => each.ms));
  const keep = timed(() => events.map(slimEvent)).ms / tasks;
  const kilobytes = Buffer.byteLength(first?.result ?? "") / 1000;
  const what = `page of ${tasks} tasks`;
  const precise = (figure: number) => ({ ralph: `${figure.toFixed(2)} ms` });
  const beside = `first ${first?.ms.toFixed(0)} ms`;
  return [
    row(what, ms, "ms", { ...precise(ms), goal: 1000, beside }),
    row(`size of the ${what}`, kilobytes, "kB", { goal: 2000 }),
    row("for the page, per task", keep, "ms", { ...precise(keep), goal: 1 }),
  ];
}

function timed<Result>(act: () => Result): { result: Result; ms: number } {
  const startedAt = performance.now();
  const result = act();
  return { result, ms: performance.now() - startedAt };
}
