import type { FactOf, RunEvent } from "../../core/state/event.ts";
import type { EvidenceRef } from "../../core/state/measurement.ts";
import type { Role } from "../../core/state/roles.ts";
import { type SessionState, taskOf } from "../../core/state/session-state.ts";
import { failureMessages } from "../../text/failure-messages.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import { describeOutcome } from "../summary/describe.ts";
import type { Appended, AppendView, ReadEvidence } from "../view.ts";

/** UTF-16 units of an attempt's output that a log shows: half from the start, half from the end. */
export const maxLogText = 256 * 1024;

/**
 * The logs of agents, gates and setup (specs 004 4.3): each attempt is added below a line with its number and outcome, so
 * a retry never hides an earlier attempt (compatibility 1.5).
 */
export const logs: AppendView = {
  kind: "append",
  name: "logs",
  append: async (event, state, evidence) => {
    const entry = entryOf(event, state);
    return entry && renderEntry(entry, evidence);
  },
};

type Entry = {
  path: string;
  header: readonly string[];
  output: EvidenceRef | undefined;
  /** The part of the output that may be read in the work tree. Default: all of it. */
  show?: (output: string) => string;
};

function entryOf(event: RunEvent, state: SessionState): Entry | undefined {
  switch (event.type) {
    case "agent_end":
      return agentEntry(event, state);
    case "fix_call_end":
      return fixEntry(event);
    case "gate_end":
      return gateEntry(event, state);
    case "setup_end":
      return stepEntry(event, { path: "logs/setup.log", title: `setup ${event.name}` });
    case "baseline_end": {
      const title = `gate ${event.gate} on the start commit`;
      return stepEntry(event, { path: "logs/baseline.log", title });
    }
    default:
      return undefined;
  }
}

type StepEnd = { ts: string; status: string; ms: number; output?: EvidenceRef | undefined };

function stepEntry(event: StepEnd, { path, title }: { path: string; title: string }): Entry {
  const { ts, status, ms, output } = event;
  return { path, header: [title, ts, status, `${Math.round(ms)} ms`], output };
}

function gateEntry(event: FactOf<"gate_end"> & { ts: string }, state: SessionState): Entry {
  const { iteration, parts } = taskOf(state, event.task);
  const title = `gate ${event.gate} (${event.level}) | iteration ${iteration}`;
  const entry = stepEntry(event, { path: gateLogPath(event.task), title });
  if (parts) return { ...entry, show: (output) => failureMessages(output, event.fingerprints) };
  return event.detail === "" ? entry : { ...entry, header: [...entry.header, event.detail] };
}

function agentEntry(event: FactOf<"agent_end"> & { ts: string }, state: SessionState): Entry {
  const { role, ts, ms, iteration, output } = event;
  const { calls, parts } = taskOf(state, event.task);
  const attempt = calls[role] ?? 1;
  const header = [
    `${role} attempt ${attempt}`,
    `iteration ${iteration}`,
    ts,
    describeOutcome(event),
    `${Math.round(ms)} ms`,
  ];
  const isHidden = role === "test_writing" && parts !== undefined;
  return {
    path: agentLogPath(role, event.task),
    header,
    output,
    ...(isHidden && { show: () => "(not shown here: the implementation may not read the tests)" }),
  };
}

/** `logs/fix-verify.log` and `logs/plan-verify.log`. */
function fixEntry(event: FactOf<"fix_call_end"> & { ts: string }): Entry {
  const { phase, iteration, role, ts, ms, output } = event;
  const title = `${role}, repair ${iteration} of ${phase}`;
  const header = [title, ts, describeOutcome(event), `${Math.round(ms)} ms`];
  return { path: agentLogPath(role, "verify"), header, output };
}

async function renderEntry(entry: Entry, evidence: ReadEvidence): Promise<Appended> {
  const header = `=== ${plainLine(entry.header.join(" | "), 1000)} ===`;
  const { output: kept, show = (whole: string) => whole } = entry;
  const output = kept && kept.bytes > 0 ? show(await evidence(kept)) : "";
  const text = plainText(boundedText(output)).trimEnd();
  return { path: entry.path, text: `${header}\n${text === "" ? "(no output)" : text}\n\n` };
}

/** The whole text if it is short; else its start and end, with the size of the gap. */
function boundedText(text: string): string {
  if (text.length <= maxLogText) return text;
  const half = maxLogText / 2;
  const left = text.length - maxLogText;
  return `${text.slice(0, half)}\n... ${left} characters left out ...\n${text.slice(-half)}`;
}

const prefixes: Record<Role, string> = {
  implementation: "impl",
  test_writing: "test",
  review: "review",
  fix: "fix",
  planning: "plan",
};

/** `logs/impl-T-001.log` (specs 004 4.3), below the session directory. */
export function agentLogPath(role: Role, task: string): string {
  return `logs/${prefixes[role]}-${task}.log`;
}

export function gateLogPath(task: string): string {
  return `logs/gates-${task}.log`;
}
