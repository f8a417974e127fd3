import { phaseOf } from "../../core/state/phase.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { cut, plainLine } from "../../text/plain-text.ts";
import { totalsOf } from "../summary/totals.ts";

/** An active mode of ralph or of another tool in a project. */
export type ActiveMode = { name: string; phase: string; detail: string };

const start = "<!-- ralph:active:start -->";
const end = "<!-- ralph:active:end -->";
/** The readers of the block have little room. */
const maxModes = 8;
const maxLine = 160;

/** The active modes as a short block for an AGENTS.md, between marks that identify it. */
export function renderOverlay(modes: readonly ActiveMode[]): string {
  const shown = modes.slice(0, maxModes).map(({ name, phase, detail }) => {
    const line = `${name}: ${phase}${detail === "" ? "" : `, ${detail}`}`;
    return `- ${cut(escapeMarkdown(plainLine(line, maxLine)), maxLine)}`;
  });
  const more = modes.length - shown.length;
  const lines = [...shown, ...(more > 0 ? [`- and ${more} more`] : [])];
  const body = lines.length > 0 ? lines : ["- none"];
  return [start, "**Active Modes:**", ...body, end].join("\n");
}

/** An active ralph session. */
export function sessionMode(state: SessionState): ActiveMode {
  const { completed, total } = totalsOf(state);
  const atWork = state.tasks.filter(({ state }) => state === "running").map(({ task }) => task.id);
  const now = atWork.length > 0 ? `, ${atWork.join(", ")} at work` : "";
  const detail = `${completed} of ${total} tasks passed${now}`;
  return { name: `ralph ${state.session.session_id}`, phase: phaseOf(state), detail };
}
