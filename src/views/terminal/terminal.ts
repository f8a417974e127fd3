import type { RunEvent } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { describeEvent } from "./event-line.ts";
import { type EventLine, type Level, levels } from "./line-marks.ts";

/** Colours, chosen by the caller; identity functions for plain text. */
export type TerminalStyle = Readonly<
  Record<"good" | "bad" | "wait" | "plain" | "faint", (text: string) => string>
>;

// Never white space: no line may begin with a command for a CI runner (T53).
const signs: Record<EventLine["mark"], string> = {
  good: "✓",
  bad: "✗",
  wait: "…",
  plain: "·",
  warn: "!",
};

/** The live line of one event and the output it shows; empty if the level hides it. `state` is the state after the event. */
export function terminalLines(
  event: RunEvent,
  state: SessionState,
  { level, style }: { level: Level; style: TerminalStyle },
): string[] {
  const time = level === "verbose" ? event.ts.slice(11, 19) : undefined;
  return renderEventLine(describeEvent(event, state), { level, style, time });
}

/** The same for a line that is no event of a session. */
export function renderEventLine(
  line: EventLine,
  { level, style, time }: { level: Level; style: TerminalStyle; time?: string | undefined },
): string[] {
  if (levels.indexOf(line.level) > levels.indexOf(level)) return [];
  const colour = line.mark === "warn" ? style.wait : style[line.mark];
  const sign = colour(signs[line.mark]);
  const text = line.mark === "bad" ? style.bad(line.text) : line.text;
  const head = [
    sign,
    ...(time ? [style.faint(time)] : []),
    ...(line.task ? [line.task] : []),
    text,
  ].join(" ");
  // The bar keeps a runner from executing a line of output (T53).
  return [head, ...(line.output ?? []).map((each) => style.faint(`  | ${each}`))];
}
