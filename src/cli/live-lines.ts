import { styleText } from "node:util";
import type { Live } from "../door/open-views.ts";
import { type TerminalStyle, terminalLines } from "../surfaces/views/terminal.ts";
import type { Output } from "./output.ts";

/** Prints each event as it happens, and a sign of life after a minute of silence (design 9.1). */
export function createLiveLines(output: Output): Live {
  const style = styleOf(output);
  const level = output.level === "debug" ? "verbose" : output.level;
  let timer: NodeJS.Timeout | undefined;
  return (event, run) => {
    for (const line of terminalLines(event, run, { level, style })) output.progress(line);
    clearInterval(timer);
    if (event.type !== "agent_start" || level === "quiet") return;
    let minutes = 0;
    timer = setInterval(() => {
      minutes += 1;
      output.progress(style.faint(`… ${event.task} ${event.role} runs for ${minutes} min`));
    }, 60_000).unref();
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
