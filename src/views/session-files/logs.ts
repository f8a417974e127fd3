import type { FactOf, RunEvent } from "../../core/state/event.ts";
import type { EvidenceRef } from "../../core/state/measurement.ts";
import type { Role } from "../../core/state/roles.ts";
import { type SessionState, taskOf } from "../../core/state/session-state.ts";
import { failureMessages } from "../../text/failure-excerpt.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import { describeOutcome } from "../summary/describe.ts";
import type { Appended, AppendView, ReadEvidence } from "../view.ts";

/** UTF-16 units of an attempt's output that a log shows: half from the start, half from the end. */
export const maxLogText = 256 * 1024;

/** The logs of agents, gates and setup (specs 004 4.3); each attempt is added below the others (compatibility 1.5). */
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
    case "fix_call_end": {
      const { phase, iteration, role, ts, output } = event;
      const title = `${role}, repair ${iteration} of ${phase}`;
      const header = [title, ts, describeOutcome(event), took(event)];
      return { path: agentLogPath(role, "verify"), header, output };
    }
    case "gate_end":
      return gateEntry(event, state);
    case "setup_end":
      return stepEntry(event, "logs/setup.log", `setup ${event.name}`);
    case "baseline_end":
      return stepEntry(event, "logs/baseline.log", `gate ${event.gate} on the start commit`);
    default:
      return undefined;
  }
}

const took = ({ ms }: { ms: number }) => `${Math.round(ms)} ms`;

type StepEnd = { ts: string; status: string; ms: number; output?: EvidenceRef | undefined };

const stepEntry = (event: StepEnd, path: string, title: string): Entry => ({
  path,
  header: [title, event.ts, event.status, took(event)],
  output: event.output,
});

function gateEntry(event: FactOf<"gate_end"> & { ts: string }, state: SessionState): Entry {
  const { iteration, parts } = taskOf(state, event.task);
  const title = `gate ${event.gate} (${event.level}) | iteration ${iteration}`;
  const entry = stepEntry(event, gateLogPath(event.task), title);
  if (parts) return { ...entry, show: (output) => failureMessages(output, event.fingerprints) };
  return event.detail === "" ? entry : { ...entry, header: [...entry.header, event.detail] };
}

function agentEntry(event: FactOf<"agent_end"> & { ts: string }, state: SessionState): Entry {
  const { role, ts, iteration, output } = event;
  const { calls, parts } = taskOf(state, event.task);
  const attempt = `${role} attempt ${calls[role] ?? 1}`;
  const header = [attempt, `iteration ${iteration}`, ts, describeOutcome(event), took(event)];
  const entry = { path: agentLogPath(role, event.task), header, output };
  if (role !== "test_writing" || parts === undefined) return entry;
  return { ...entry, show: () => "(not shown here: the implementation may not read the tests)" };
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

/** `logs/impl-T-001.log` (specs 004 4.3), below the session directory. A repair's is `logs/fix-verify.log`. */
export const agentLogPath = (role: Role, task: string): string =>
  `logs/${prefixes[role]}-${task}.log`;

export const gateLogPath = (task: string): string => `logs/gates-${task}.log`;
