import { styleText } from "node:util";
import type { Step } from "../../core/decide/step.ts";
import type { Live } from "../../entry/open-views.ts";
import type { Clock } from "../../platform/system.ts";
import { renderDuration } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type TerminalStyle, terminalLines } from "../../views/terminal/terminal.ts";
import type { Output } from "./output.ts";

const tickMs = 10_000;
const minuteMs = 60_000;

type RunningStep = { name: string; since: number };

/** Prints each event as it happens, and what still runs after each 10 s of silence (design 9.1). */
export function createLiveLines(output: Output, clock: Pick<Clock, "monotonic">): Live {
  const style = styleOf(output);
  const level = output.level === "debug" ? "verbose" : output.level;
  const running = new Set<RunningStep>();
  const silence = createSilence(output, () =>
    [...running].flatMap(({ name, since }) => waitingLine(name, clock.monotonic() - since, output)),
  );
  return {
    event: (event, state) => {
      const lines = terminalLines(event, state, { level, style });
      for (const line of lines) output.progress(line);
      if (lines.length > 0) silence.start();
    },
    began: (step) => {
      const name = nameOf(step);
      if (name === undefined || level === "quiet") return () => {};
      const entry = { name, since: clock.monotonic() };
      running.add(entry);
      if (startIsNews.has(step.kind)) output.progress(`${style.plain("·")} ${name} started`);
      silence.start();
      return () => {
        running.delete(entry);
        if (running.size === 0) silence.stop();
      };
    },
  };
}

/** No event announces these; an agent's call has one. */
const startIsNews = new Set<Step["kind"]>(["setup", "check-start"]);

/** Steps that can take long, by a name; undefined for the others. */
function nameOf(step: Step): string | undefined {
  switch (step.kind) {
    case "setup":
      return plainLine(`setup ${step.name}`);
    case "check-start":
    case "run-baseline":
      return plainLine(`gate ${step.gate} on the start commit`);
    case "call-agent":
      return `${step.task} ${step.role}`;
    case "run-gate":
      return plainLine(`${step.task} gate ${step.gate}`);
    case "run-proof":
      return plainLine(`${step.task} proof, gate ${step.gate}`);
    case "verify":
      return "verification";
    case "check-criteria":
      return `${step.task} criteria`;
    default:
      return undefined;
  }
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
