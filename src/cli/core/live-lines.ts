import type { Step } from "../../core/decide/step.ts";
import type { Live } from "../../entry/open-views.ts";
import type { Clock } from "../../platform/system.ts";
import { plainLine } from "../../text/plain-text.ts";
import { terminalLines } from "../../views/terminal/terminal.ts";
import type { Output } from "./output.ts";
import { createWaitingLines, styleOf } from "./waiting-lines.ts";

/** Prints each event as it happens, and what still runs after each 10 s of silence (design 9.1). */
export function createLiveLines(output: Output, clock: Pick<Clock, "monotonic">): Live {
  const style = styleOf(output);
  const level = output.level === "debug" ? "verbose" : output.level;
  const waiting = createWaitingLines(output, clock);
  return {
    event: (event, state) => {
      const lines = terminalLines(event, state, { level, style });
      for (const line of lines) output.progress(line);
      if (lines.length > 0) waiting.printed();
    },
    began: (step) => {
      const name = nameOf(step);
      return name === undefined ? () => {} : waiting.began(name, startIsNews.has(step.kind));
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
