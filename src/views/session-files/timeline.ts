import type { RunEvent } from "../../core/state/event.ts";
import { type SessionState, taskOf } from "../../core/state/session-state.ts";
import type { TimelineEvent } from "../../schema/session-files/timeline-event.ts";
import { plainLine } from "../../text/plain-text.ts";
import { describeSteering } from "../summary/describe.ts";
import { countCriteria } from "../summary/proof.ts";
import type { AppendView } from "../view.ts";
import {
  callEnd,
  errorOf,
  fixLoopEnd,
  gateEnd,
  infoLine,
  type Line,
  took,
  warningLine,
} from "./timeline-line.ts";

/** `logs/timeline.jsonl` (specs 004 4.6): the published names of events, one line each. */
export const timeline: AppendView = {
  kind: "append",
  name: "timeline",
  append: (event, state) => {
    const lines = timelineEvents(event, state).map((line) => `${JSON.stringify(line)}\n`);
    return lines.length > 0 ? { path: "logs/timeline.jsonl", text: lines.join("") } : undefined;
  },
};

/** The lines of one event; `state` is the state after it. Every line names the session (compatibility 1.4). */
export function timelineEvents(event: RunEvent, state: SessionState): TimelineEvent[] {
  const { session_id } = state.session;
  return linesOf(event, state).map(({ event: name, ...rest }) => ({
    ts: event.ts,
    event: name,
    session_id,
    ...rest,
  }));
}

function linesOf<Type extends RunEvent["type"]>(
  event: Extract<RunEvent, { type: Type }>,
  state: SessionState,
): Line[] {
  const lines = [table[event.type as Type](event, state)].flat();
  // Work that is kept at the end of a session may belong to no task.
  if (!("task" in event) || event.type === "work_kept") return lines;
  return lines.map((line) => ({ ...line, task_id: event.task }));
}

const model = (event: { model?: string | undefined }) => event.model && { model: event.model };

const taskEnd = (
  status: string,
  { task, message, kept }: { task: string; message: string; kept?: string | undefined },
): Line => ({
  event: "task_failed",
  ...{ task_id: task, status, ...errorOf(message) },
  ...(kept && { details: { kept } }),
});

const stepEnd = (event: { type: string; status: string; ms: number }, name: string): Line => ({
  ...infoLine(event.type, { name }),
  status: event.status,
  ...took(event),
});

/** Events without a published name become `info` or `warning`. */
const table: {
  [Type in RunEvent["type"]]: (
    event: Extract<RunEvent, { type: Type }>,
    state: SessionState,
  ) => Line | Line[];
} = {
  session_start: ({ source, branch, start, tasks, selected, sandbox, versions }) => {
    const counts = { tasks: tasks.length, selected: selected.length };
    const begun = { source: source.path, branch, commit: start.commit };
    return { event: "session_start", details: { ...begun, ...counts, sandbox, versions } };
  },
  session_resume: ({ status_verified, sandbox }) => [
    ...(status_verified ? [{ event: "checksum_verified" } as const] : []),
    infoLine("session resumed", { sandbox }),
  ],
  session_end: ({ reason, message }, state) => [
    ...fixLoopEnd(state),
    { event: "session_end", status: reason, details: { message: plainLine(message, 1000) } },
  ],
  tasks_reloaded: ({ tasks }) => infoLine("tasks reloaded", { tasks: tasks.length }),
  steered: ({ order, refused }) => {
    const details = { order: describeSteering(order), comment: order.comment };
    return refused === undefined
      ? infoLine("command received", details)
      : warningLine(refused, details);
  },
  setup_end: (event) => stepEnd(event, event.name),
  baseline_end: (event) => stepEnd(event, event.gate),
  wait: ({ because, ms, until }) => infoLine("waiting", { because, ms, until }),
  warning: ({ message }) => warningLine(message),
  tampering: ({ message, path }) => ({
    event: "checksum_failed",
    error: message,
    details: { path },
  }),
  recheck_end: ({ commit, failures }) =>
    failures.length > 0
      ? warningLine("the resumed commit no longer holds", { failures })
      : infoLine("the resumed commit still holds", { commit }),
  work_kept: ({ tree, task }) => infoLine("work kept", { tree, ...(task && { task }) }),

  task_claimed: ({ worker, base }) => infoLine("claimed", { worker, base }),
  task_start: ({ task }) => ({ event: "task_start", task_id: task }),
  agent_start: ({ task, role, iteration, driver, ...event }) => ({
    event: "agent_start",
    ...{ task_id: task, role, details: { iteration, driver, ...model(event) } },
  }),
  agent_end: (event) => {
    const { iteration, refused, trespassed, ignored } = event;
    return callEnd(
      event,
      { iteration },
      { message: "changes reverted", paths: { refused, trespassed } },
      { message: "ignored files changed", paths: { ignored } },
    );
  },
  gate_end: gateEnd,
  gate_fixed: ({ gate, paths }) => infoLine("gate changed files", { gate, paths }),
  criteria_end: ({ task }, state) => ({
    ...infoLine("criteria checked", { ...countCriteria(taskOf(state, task)) }),
    task_id: task,
  }),
  work_shown: ({ part, tree }) => infoLine("work shown", { part, tree }),
  proof_planned: ({ tree }) => infoLine("proof planned", { tree }),
  proof_gate_end: ({ part, gate, status, ...event }) =>
    infoLine("proof run", { part, gate, status, ...took(event) }),
  proof_asked: ({ feedback, check }) => warningLine(feedback, { check }),
  proof_judged: ({ figures, findings }) =>
    infoLine("proof judged", { figures, findings: findings.length }),
  iteration_failed: ({ iteration, because, feedback }) =>
    warningLine(feedback, { iteration, because }),
  subtask_passed: ({ subtask }) => infoLine("subtask passed", { subtask }),
  task_merged: ({ tree, onto }) => infoLine("merged", { tree, onto }),
  task_passed: ({ task, tree, already_satisfied }, state) => {
    const { iterations } = taskOf(state, task);
    return {
      event: "task_complete",
      ...{ task_id: task, details: { tree, iterations, already_satisfied } },
    };
  },
  task_committed: ({ commit }) => infoLine("committed", { commit }),
  task_failed: (event) => taskEnd("failed", event),
  task_blocked: (event) => taskEnd("blocked", event),

  verify_start: ({ tree }) => infoLine("verification started", { tree }),
  service_start: ({ service, port, env, pid }) => ({
    event: "service_start",
    details: { service, port, env, pid },
  }),
  service_ready: ({ service, url, ...event }) => ({
    event: "service_ready",
    ...{ ...took(event), details: { service, url } },
  }),
  service_failed: ({ service, why, detail, ...event }) => ({
    event: "service_failed",
    ...{ ...took(event), ...errorOf(detail), details: { service, why } },
  }),
  service_stop: ({ service, survivors, ...event }) => ({
    ...infoLine("service stopped", { service, survivors }),
    ...took(event),
  }),
  ui_test_start: ({ test, framework }) => ({
    event: "ui_test_start",
    details: { test: plainLine(test), framework },
  }),
  ui_test_end: ({ test, framework, status, detail, ...event }) => {
    const details = { test: plainLine(test), framework };
    if (status === "skipped") return { ...infoLine("test skipped", details), ...took(event) };
    return status === "passed"
      ? { event: "ui_test_pass", ...took(event), details }
      : { event: "ui_test_fail", ...took(event), ...errorOf(detail), details };
  },
  verify_phase_end: ({ phase, status, ...event }) => ({
    ...infoLine(`verified ${phase}`, { phase }),
    ...{ status, ...took(event) },
  }),
  page_seen: ({ when, page }) => infoLine(`page ${when} the task`, { page: plainLine(page) }),

  // A loop starts with the first repair of a phase; each repair is an iteration.
  fix_start: ({ phase, iteration, limit, failure }) => [
    ...(iteration === 1
      ? [{ event: "fix_loop_start", details: { phase, limit } } satisfies Line]
      : []),
    {
      event: "fix_loop_iteration",
      ...{ ...errorOf(failure), details: { phase, iteration, limit } },
    },
  ],
  fix_call_start: ({ role, phase, iteration, driver, ...event }) => ({
    event: "agent_start",
    ...{ role, details: { phase, iteration, driver, ...model(event) } },
  }),
  fix_call_end: (event) => {
    const { phase, iteration, refused } = event;
    return callEnd(
      event,
      { phase, iteration },
      { message: "changes reverted", paths: { refused } },
    );
  },
  fix_checked: ({ failures, gates, criteria }) =>
    failures.length > 0
      ? warningLine("not everything holds with the fix", { failures })
      : infoLine("gates and criteria hold with the fix", {
          gates: gates.length,
          tasks: criteria.length,
        }),
  fix_end: ({ phase, iteration, outcome, detail }) => ({
    ...infoLine("fix ended", { phase, iteration, detail: plainLine(detail, 1000) }),
    status: outcome,
  }),
  fix_committed: ({ commit }, { repairs }) =>
    infoLine("fix committed", { commit, fix: repairs?.ended.length ?? 0 }),
};
