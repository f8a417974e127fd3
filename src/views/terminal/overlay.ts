import { phaseOf } from "../../core/state/phase.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { cut, plainLine } from "../../text/plain-text.ts";
import { totalsOf } from "../summary/totals.ts";

/** A way to work that is active in a project, of ours or of another tool. */
export type ActiveMode = { name: string; phase: string; detail: string };

const start = "<!-- ralph:active:start -->";
const end = "<!-- ralph:active:end -->";
/** What reads it has little room to spare. */
const maxModes = 8;
const maxLine = 160;

/** The active modes as a short block for an AGENTS.md, between marks by which it is found again. */
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

/** A session of ours at work. */
export function sessionMode(state: SessionState): ActiveMode {
  const { completed, total } = totalsOf(state);
  const atWork = state.tasks.filter(({ state }) => state === "running").map(({ task }) => task.id);
  const now = atWork.length > 0 ? `, ${atWork.join(", ")} at work` : "";
  const detail = `${completed} of ${total} tasks passed${now}`;
  return { name: `ralph ${state.session.session_id}`, phase: phaseOf(state), detail };
}
