import { styleText } from "node:util";
import type { Clock } from "../../platform/system.ts";
import { renderDuration } from "../../text/figures.ts";
import type { TerminalStyle } from "../../views/terminal/terminal.ts";
import type { Output } from "./output.ts";

const tickMs = 10_000;
const minuteMs = 60_000;

/** Shows what still runs after each 10 s of silence (design 9.1). */
export interface WaitingLines {
  /** Something begins; the answer is called when it has ended. `isNews`: a line says so. */
  began: (name: string, isNews: boolean) => () => void;
  /** Another line was printed. */
  printed: () => void;
}

export function createWaitingLines(output: Output, clock: Pick<Clock, "monotonic">): WaitingLines {
  const style = styleOf(output);
  const running = new Set<{ name: string; since: number }>();
  const silence = createSilence(output, () =>
    [...running].flatMap(({ name, since }) => waitingLine(name, clock.monotonic() - since, output)),
  );
  return {
    printed: silence.start,
    began: (name, isNews) => {
      if (output.level === "quiet") return () => {};
      const entry = { name, since: clock.monotonic() };
      running.add(entry);
      if (isNews) output.progress(`${style.plain("·")} ${name} started`);
      silence.start();
      return () => {
        running.delete(entry);
        if (running.size === 0) silence.stop();
      };
    },
  };
}

/** Where lines cannot be replaced (`isTerminal`), only each full minute is shown after the first. */
function waitingLine(name: string, ms: number, { isTerminal }: Output): string[] {
  const isDue = isTerminal || ms < minuteMs || ms % minuteMs < tickMs;
  return isDue ? [`… ${name} runs for ${renderDuration(Math.round(ms / 1000) * 1000)}`] : [];
}

/** Prints `lines` after every 10 s without `start`; on a terminal the newest replace the ones before. */
function createSilence(output: Output, lines: () => string[]) {
  const { faint } = styleOf(output);
  let timer: NodeJS.Timeout | undefined;
  let shown = 0;
  const stop = () => {
    clearInterval(timer);
    shown = 0;
  };
  const show = () => {
    const next = lines();
    if (next.length === 0) return;
    const erased = output.isTerminal ? "\u001b[1A\u001b[2K".repeat(shown) : "";
    output.progress(`${erased}${next.map(faint).join("\n")}`);
    shown = next.length;
  };
  return {
    stop,
    start: () => {
      stop();
      timer = setInterval(show, tickMs).unref();
    },
  };
}

export function styleOf({ hasColour }: Output): TerminalStyle {
  const colour = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    hasColour ? styleText(format, text, { validateStream: false }) : text;
  return {
    good: colour("green"),
    bad: colour("red"),
    wait: colour("yellow"),
    plain: colour("cyan"),
    faint: colour("dim"),
  };
}
