import type { RunEvent } from "../../core/state/event.ts";
import { type SessionState, type TaskState, taskOf } from "../../core/state/session-state.ts";
import { cut, plainLine, plainText } from "../../text/plain-text.ts";
import type { Level } from "../terminal/line-marks.ts";
import { type TerminalStyle, terminalLines } from "../terminal/terminal.ts";
import { logText, workflowCommand } from "./workflow-command.ts";

/**
 * The live log of a job: one line per event. The lines of a task form a foldable group, unless several tasks run at once;
 * its outcome follows the group, so it stays visible when the group is folded.
 */
export function createActionLog(options: { level: Level; style: TerminalStyle }) {
  let open: string | undefined;
  const close = () => {
    const lines = open === undefined ? [] : [workflowCommand("endgroup")];
    open = undefined;
    return lines;
  };
  const enter = (id: string, state: SessionState) => {
    if (open === id) return [];
    const lines = [...close(), workflowCommand("group", titleOf(state, id))];
    open = id;
    return lines;
  };
  return {
    close,
    /** The lines of one event; `state` is the state after it. */
    take: (event: RunEvent, state: SessionState): string[] => {
      const lines = terminalLines(event, state, options).map(logText);
      const id = groupOf(event, state);
      if (id === "none") return [...close(), ...lines];
      if (id === undefined || lines.length === 0) return lines;
      // The title of the group is the line of a task that starts.
      return [...enter(id, state), ...(event.type === "task_start" ? [] : lines)];
    },
  };
}

/** The task whose group holds an event's line; `none`: no group, undefined: the current group. */
function groupOf(event: RunEvent, state: SessionState): string | "none" | undefined {
  if (endings.has(event.type)) return "none";
  const id = "task" in event ? event.task : undefined;
  if (id === undefined) return undefined;
  // Tasks in parallel mix their lines, so no group could hold them; each line names its task.
  if (state.tasks.some(isWithWorker)) return "none";
  return event.type === "task_passed" || taskOf(state, id).state === "running" ? id : "none";
}

const isWithWorker = ({ claimed, state }: TaskState) =>
  claimed !== undefined && (state === "running" || state === "pending");

const endings = new Set<RunEvent["type"]>([
  "session_start",
  "session_resume",
  "tasks_reloaded",
  "recheck_end",
  "task_committed",
  "task_failed",
  "task_blocked",
  "tampering",
  "session_end",
]);

const titleOf = (state: SessionState, id: string) =>
  plainLine(`${id} ${taskOf(state, id).task.title}`);

const maxQuotedText = 256 * 1024;
const maxQuotedLines = 200;

/**
 * The last lines of an agent's or a gate's output, for the log of a user who asks for output. `token` is a fresh random
 * string of letters and digits: the runner executes no command until it appears again. Every line begins with a bar (T53).
 */
export function quoteOutput(output: string, token: string): string[] {
  const lines = plainText(output.slice(-maxQuotedText)).trimEnd().split("\n");
  const shown = lines.slice(-maxQuotedLines).map((line) => `│ ${cut(logText(line), 500)}`);
  const left = lines.length - shown.length;
  const note = left > 0 ? [`│ (${left} lines before these are in the logs)`] : [];
  return [workflowCommand("stop-commands", token), ...note, ...shown, `::${token}::`];
}
