import type { RunEvent } from "../core/state/event.ts";
import type { SessionState } from "../core/state/session-state.ts";
import { counted, renderDuration } from "../text/figures.ts";
import { plainLine } from "../text/plain-text.ts";
import { summarize } from "../views/summary/summary.ts";

/** Enough to see what led to the end. */
const lastEvents = 40;

/** Keys of events with fixed terms, numbers or ids. Other keys may hold text of the project or a model. */
const shownKeys = [
  "task",
  "subtask",
  "phase",
  "role",
  "iteration",
  "driver",
  "model",
  "gate",
  "level",
  "name",
  "status",
  "because",
  "reason",
  "sandbox",
  "ms",
] as const;

/** The figures of a session, without titles, criteria or feedback. */
export function renderSession(
  state: SessionState,
  versions: Readonly<Record<string, string>>,
): string[] {
  const summary = summarize(state);
  const { status, stop_reason, exit_code, iterations, duration_ms, tasks } = summary;
  const end = [status, stop_reason, exit_code === null ? undefined : `exit code ${exit_code}`];
  return [
    `session ${summary.session_id}: ${end.filter(Boolean).join(", ")}`,
    `started with ${Object.entries(versions)
      .map((pair) => pair.join(" "))
      .join(", ")}`,
    `sandbox ${state.session.sandbox}, ${counted(iterations, "iteration")}, ${renderDuration(duration_ms)}`,
    ...tasks.map(
      (task) =>
        `${task.id}: ${task.state}, ${counted(task.iterations, "iteration")}, ${task.commit ?? "-"}`,
    ),
  ];
}

/** The last events with their safe keys; messages of programs are cut to one line. */
export const renderEvents = (events: readonly RunEvent[]): string[] =>
  events.slice(-lastEvents).map(renderEvent);

function renderEvent(event: RunEvent): string {
  const values = new Map(Object.entries(event));
  const shown = shownKeys.flatMap((key) => {
    const value = values.get(key);
    if (typeof value === "number") return [`${key}=${Math.round(value)}`];
    return typeof value === "string" ? [`${key}=${plainLine(value, 80)}`] : [];
  });
  const head = [event.seq, event.ts, event.type, ...shown, ...outcomeOf(event)];
  const message = messageOf(event);
  return [...head, ...(message ? [JSON.stringify(plainLine(message, 200))] : [])].join(" ");
}

function outcomeOf(event: RunEvent): string[] {
  if (event.type === "fix_end") return [`outcome=${event.outcome}`];
  if (event.type !== "agent_end" && event.type !== "fix_call_end") return [];
  const { outcome, signal } = event;
  const kind = outcome.kind === "failed" ? `failed/${outcome.class}` : outcome.kind;
  return [`outcome=${kind}`, `signal=${signal.kind}`];
}

/** Messages of ralph and last lines of programs. Messages about tasks may quote the work, so they are left out. */
function messageOf(event: RunEvent): string | undefined {
  if (event.type === "warning" || event.type === "tampering") return event.message;
  if (event.type !== "agent_end" && event.type !== "fix_call_end") return undefined;
  const { outcome } = event;
  return outcome.kind === "failed" || outcome.kind === "limited" ? outcome.message : undefined;
}
