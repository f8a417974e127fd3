import type { RunEvent } from "../../core/state/event.ts";
import type { Role } from "../../core/state/roles.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type CallSummary, callsOf } from "../summary/summary-calls.ts";
import { isGreen } from "../summary/summary-proof.ts";
import type { TimeSpan } from "./axis.ts";

/** A span of time with one activity. */
export interface Bar extends TimeSpan {
  /** Undefined: for the session as a whole. */
  task: string | undefined;
  /** The activity: a role or a gate. */
  lane: string;
  tone: "work" | "test" | "review" | "gate";
  outcome: string;
  isBad: boolean;
}

/** Calls, gates, setup steps and waits of a session, in the order they began. */
export function barsOf(events: readonly RunEvent[]): Bar[] {
  const [first = 0, last = 0] = [events.at(0), events.at(-1)].map((event) => timeOf(event?.ts));
  const calls = callsOf(events).map((call) => callBar(call, events));
  const waits = events.flatMap((event, at) => waitBar(event, events, at));
  return [...calls, ...events.flatMap(measuredBar), ...waits]
    .map((bar) => ({ ...bar, from: Math.max(first, bar.from), to: Math.min(last, bar.to) }))
    .filter(({ from, to }) => from <= to)
    .sort((a, b) => a.from - b.from);
}

const timeOf = (ts: string | undefined) => Date.parse(ts ?? "");

const tones: Record<Role, Bar["tone"]> = {
  implementation: "work",
  fix: "work",
  planning: "work",
  test_writing: "test",
  review: "review",
};

function callBar(call: CallSummary, events: readonly RunEvent[]): Bar {
  const { task, role, iteration, outcome, started_at, ended_at } = call;
  return {
    task: task ?? undefined,
    lane: role.replaceAll("_", " "),
    tone: tones[role],
    outcome: `iteration ${iteration}, ${outcome}`,
    isBad: outcome !== "accepted" && outcome !== "running",
    from: timeOf(started_at),
    to: timeOf(ended_at ?? lastEventOf(started_at, events)),
  };
}

/** The end of an interrupted call: the last event before the session was resumed, or of all. */
function lastEventOf(from: string, events: readonly RunEvent[]): string {
  const at = events.findIndex(({ type, ts }) => type === "session_resume" && ts > from);
  return events.at(at < 0 ? -1 : at - 1)?.ts ?? from;
}

function measuredBar(event: RunEvent): Bar[] {
  switch (event.type) {
    case "setup_end":
      return [ended(event, `setup step ${plainLine(event.name, 60)}`)];
    case "baseline_end": {
      const lane = `gate ${plainLine(event.gate, 60)} on the start commit`;
      return [{ ...ended(event, lane), isBad: false }];
    }
    case "gate_end":
      if (event.status === "skipped" || event.status === "not_started") return [];
      return [{ ...ended(event, `gate ${plainLine(event.gate, 60)}`), task: event.task }];
    default:
      return [];
  }
}

/** Events that only follow the end of a wait; gates and commits of other tasks may come during one. */
const afterWait = new Set<RunEvent["type"]>([
  "agent_start",
  "fix_call_start",
  "task_claimed",
  "task_start",
  "task_failed",
  "task_blocked",
  "wait",
  "session_end",
  "session_resume",
]);

/** A wait may be cut short; it lasts until work starts. */
function waitBar(event: RunEvent, events: readonly RunEvent[], at: number): Bar[] {
  if (event.type !== "wait") return [];
  const next = events.slice(at + 1).find(({ type }) => afterWait.has(type));
  const said = event.because === "limit" ? "for a usage limit" : "before the next try";
  const to = Math.min(timeOf(event.until), timeOf(next?.ts ?? event.ts));
  const from = timeOf(event.ts);
  return [
    { task: undefined, lane: "waiting", tone: "gate", outcome: said, isBad: false, from, to },
  ];
}

function ended({ ts, ms, status }: { ts: string; ms: number; status: string }, lane: string): Bar {
  const to = timeOf(ts);
  const isBad = !isGreen({ status });
  const said = status.replaceAll("_", " ");
  return { task: undefined, lane, tone: "gate", outcome: said, isBad, from: to - ms, to };
}
