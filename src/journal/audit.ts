import { auditPass } from "../core/checks/audit-pass.ts";
import { auditRepair } from "../core/checks/audit-repair.ts";
import type { GateRule } from "../core/decide/policy.ts";
import { selectedTasks } from "../core/decide/task-order.ts";
import type { Fact, FactOf, RunEvent } from "../core/state/event.ts";
import type { EvidenceRef } from "../core/state/measurement.ts";
import type { SessionState } from "../core/state/session-state.ts";
import type { Files } from "../platform/system.ts";
import { readEvidence } from "./evidence.ts";
import { replayJournal } from "./journal.ts";
import { digestOf } from "./line.ts";

/** The part of a journal whose chain is intact. */
export interface Reading {
  moments: readonly ReplayedEvent[];
  /** The state after the last event that could be read. */
  state: SessionState | undefined;
  /** `seq:hash` of the last line; undefined when the chain is broken. */
  digest: string | undefined;
  /** Why the chain is broken. */
  broken: string | undefined;
}
/** An event with the states around it. */
export type ReplayedEvent = {
  event: RunEvent;
  before: SessionState | undefined;
  after: SessionState;
};

/** Reads every event of a journal; a break in the chain ends the reading instead of throwing. */
export async function readJournal(files: Files): Promise<Reading> {
  const moments: ReplayedEvent[] = [];
  const read = () => ({ moments, state: moments.at(-1)?.after });
  try {
    const replay = await replayJournal(files, (event, after) => {
      moments.push({ event, before: moments.at(-1)?.after, after });
    });
    const broken = replay ? undefined : `${files.root} holds no journal`;
    return { ...read(), digest: replay && digestOf(replay.end), broken };
  } catch (error) {
    // An event that cannot follow the one before is a break as well.
    return { ...read(), digest: undefined, broken: messageOf(error) };
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Counts the pieces of evidence, and lists those that are missing or differ from the journal. */
export async function auditEvidence(
  files: Files,
  { moments }: Reading,
): Promise<{ count: number; problems: string[] }> {
  const refs = moments.flatMap(({ event }) => evidenceOf(event));
  const unique = new Map(refs.map((ref) => [ref.sha256, ref]));
  const problems: string[] = [];
  for (const ref of unique.values()) {
    try {
      await readEvidence(files, ref);
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  return { count: unique.size, problems };
}

/** The pieces of evidence that an event names. */
export function evidenceOf(event: Fact): EvidenceRef[] {
  switch (event.type) {
    case "agent_start":
    case "fix_call_start":
      return [event.prompt];
    case "fix_checked":
      return [...event.gates, ...event.criteria].flatMap(evidenceOf);
    case "agent_end":
    case "fix_call_end":
    case "setup_end":
      return [event.output];
    case "gate_end":
    case "baseline_end":
      return event.output ? [event.output] : [];
    case "criteria_end":
      return event.results.flatMap(({ evidence, picture }) =>
        [evidence ?? [], picture ?? []].flat(),
      );
    case "service_stop":
      return [event.output];
    case "page_seen":
      return event.picture ? [event.picture] : [];
    case "ui_test_end":
      return [event.picture, event.snapshot, event.console].filter((ref) => ref !== undefined);
    case "verify_phase_end":
      return [event.output ?? [], Object.values(event.files ?? {})].flat();
    default:
      return [];
  }
}

/** One pass of a session and what it lacks; after an edit of the list a task may pass twice. */
export interface AuditedPass {
  task: string;
  pass: RunEvent & FactOf<"task_passed">;
  /** The commit, made right after the pass or by the next `--resume`. */
  committed: FactOf<"task_committed"> | undefined;
  lacks: readonly string[];
}

/** Audits every pass with the state from before it. `rules`: the full gates of the start commit. */
export function auditPasses({ moments }: Reading, rules: readonly GateRule[]): AuditedPass[] {
  return moments.flatMap(({ event, before }, index) => {
    if (event.type !== "task_passed" || !before) return [];
    const { task } = event;
    const committed = eventsFrom(moments, index)
      .filter((later) => later.type === "task_committed")
      .find((later) => later.task === task);
    return [{ task, pass: event, committed, lacks: auditPass(before, event, rules) }];
  });
}

/** A repair that was kept, and what it lacks. */
export interface AuditedRepair {
  name: string;
  end: RunEvent & FactOf<"fix_end">;
  committed: FactOf<"fix_committed"> | undefined;
  lacks: readonly string[];
}

/** Audits every repair that was kept, like passes. */
export function auditRepairs({ moments }: Reading, rules: readonly GateRule[]): AuditedRepair[] {
  return moments.flatMap(({ event, before, after }, index) => {
    if (event.type !== "fix_end" || event.outcome !== "kept" || !before) return [];
    const name = `repair ${after.repairs?.ended.length ?? 0}`;
    const committed = eventsFrom(moments, index).find((each) => each.type === "fix_committed");
    return [{ name, end: event, committed, lacks: auditRepair(before, event, rules) }];
  });
}

const eventsFrom = (moments: Reading["moments"], index: number) =>
  moments.slice(index).map(({ event }) => event);

/** Problems of a session that claims to be all done although a task did not pass or was not committed. */
export function auditEnd(state: SessionState): string[] {
  if (state.end?.reason !== "all_done") return [];
  return selectedTasks(state)
    .filter(({ state, passedBefore, commit }) => state !== "passed" || !(passedBefore || commit))
    .map(({ task }) => `the session ended as all done, and ${task.id} is not passed and committed`);
}
