import { styleText } from "node:util";
import type { SessionState } from "../../core/state/session-state.ts";
import type { Live } from "../../entry/open-views.ts";
import { type TerminalStyle, terminalLines } from "../../views/terminal/terminal.ts";
import type { Output } from "./output.ts";

const minute = 60_000;

const waitingLine = (who: string, ms: number) => `… ${who} runs for ${Math.round(ms / minute)} min`;

/** The running agent calls with their age at the last event. */
function callsOf(state: SessionState): { who: string; ms: number }[] {
  return state.tasks.flatMap(({ task, doing }) => {
    if (!doing?.call) return [];
    return {
      who: `${task.id} ${doing.call.role}`,
      ms: Date.parse(state.ts) - Date.parse(doing.since),
    };
  });
}

/** Prints each event as it happens, and a waiting line after each minute without events (design 9.1). */
export function createLiveLines(output: Output): Live {
  const style = styleOf(output);
  const level = output.level === "debug" ? "verbose" : output.level;
  let timer: NodeJS.Timeout | undefined;
  return (event, state) => {
    for (const line of terminalLines(event, state, { level, style })) output.progress(line);
    clearInterval(timer);
    const calls = callsOf(state);
    if (calls.length === 0 || level === "quiet") return;
    let silentMs = 0;
    timer = setInterval(() => {
      silentMs += minute;
      for (const line of calls.map(({ who, ms }) => waitingLine(who, ms + silentMs)))
        output.progress(style.faint(line));
    }, minute).unref();
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
