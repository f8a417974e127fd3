import type { RunEvent } from "../../core/state/event.ts";
import { isRepairFact, type RepairFact } from "../../core/state/repair-event.ts";
import { type SessionState, taskOf } from "../../core/state/session-state.ts";
import { isVerifyFact, type VerifyFact } from "../../core/state/verify-event.ts";
import type { TimelineEvent } from "../../schema/session-files/timeline-event.ts";
import { countCriteria } from "../summary/proof.ts";
import type { AppendView } from "../view.ts";
import { fixLoopEnd, repairLines } from "./repair-lines.ts";
import {
  agentEnd,
  agentStart,
  gateEnd,
  infoLine,
  type Line,
  measured,
  passDetails,
  sessionEnd,
  sessionStart,
  steered,
  stepName,
  taskFailed,
  warningLine,
} from "./timeline-line.ts";
import { verifyLines } from "./verify-lines.ts";

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

function linesOf(event: RunEvent, state: SessionState): Line[] {
  if (isVerifyFact(event)) return verifyLines(event);
  if (isRepairFact(event)) return repairLines(event, state);
  switch (event.type) {
    case "session_start":
      return [sessionStart(event)];
    case "session_resume":
      return [
        ...(event.status_verified ? [{ event: "checksum_verified" } as const] : []),
        infoLine("session resumed", { sandbox: event.sandbox }),
      ];
    case "session_end":
      return [...fixLoopEnd(state), sessionEnd(event)];
    case "task_start":
      return [{ event: "task_start", task_id: event.task }];
    case "task_passed":
      return [{ event: "task_complete", task_id: event.task, details: passDetails(state, event) }];
    case "task_failed":
    case "task_blocked":
      return [taskFailed(event)];
    case "agent_start":
      return [agentStart(event)];
    case "agent_end":
      return agentEnd(event);
    case "gate_end":
      return gateEnd(event, state);
    case "tampering":
      return [{ event: "checksum_failed", error: event.message, details: { path: event.path } }];
    default:
      return [otherLine(event, state)];
  }
}

type PublishedType =
  | "session_start"
  | "session_resume"
  | "session_end"
  | "task_start"
  | "task_passed"
  | "task_failed"
  | "task_blocked"
  | "agent_start"
  | "agent_end"
  | "gate_end"
  | (VerifyFact | RepairFact)["type"]
  | "fix_checked"
  | "tampering";

/** Events without a published name become `info` or `warning`. */
function otherLine(event: Exclude<RunEvent, { type: PublishedType }>, state: SessionState): Line {
  switch (event.type) {
    case "warning":
      return warningLine(event.message);
    case "iteration_failed": {
      const { task, iteration, because, feedback } = event;
      return { ...warningLine(feedback, { iteration, because }), task_id: task };
    }
    case "recheck_end":
      return event.failures.length > 0
        ? warningLine("the resumed commit no longer holds", { failures: event.failures })
        : infoLine("the resumed commit still holds", { commit: event.commit });
    case "criteria_end":
      return {
        ...infoLine("criteria checked", { ...countCriteria(taskOf(state, event.task)) }),
        task_id: event.task,
      };
    case "setup_end":
    case "baseline_end":
      return { ...infoLine(event.type, { name: stepName(event) }), ...measured(event) };
    case "task_claimed":
      return {
        ...infoLine("claimed", { worker: event.worker, base: event.base }),
        task_id: event.task,
      };
    case "task_merged":
      return { ...infoLine("merged", { tree: event.tree, onto: event.onto }), task_id: event.task };
    case "gate_fixed": {
      const { gate, paths, task } = event;
      return { ...infoLine("gate changed files", { gate, paths }), task_id: task };
    }
    case "work_shown":
      return {
        ...infoLine("work shown", { part: event.part, tree: event.tree }),
        task_id: event.task,
      };
    case "proof_planned":
      return { ...infoLine("proof planned", { tree: event.tree }), task_id: event.task };
    case "proof_gate_end": {
      const { part, gate, task } = event;
      return { ...infoLine("proof run", { part, gate, ...measured(event) }), task_id: task };
    }
    case "proof_asked":
      return { ...warningLine(event.feedback, { check: event.check }), task_id: event.task };
    case "proof_judged": {
      const { figures, findings, task } = event;
      return { ...infoLine("proof judged", { figures, findings: findings.length }), task_id: task };
    }
    case "subtask_passed":
      return { ...infoLine("subtask passed", { subtask: event.subtask }), task_id: event.task };
    case "task_committed":
      return { ...infoLine("committed", { commit: event.commit }), task_id: event.task };
    case "work_kept":
      return infoLine("work kept", { tree: event.tree, ...(event.task && { task: event.task }) });
    case "wait":
      return infoLine("waiting", { because: event.because, ms: event.ms, until: event.until });
    case "steered":
      return steered(event);
    case "tasks_reloaded":
      return infoLine("tasks reloaded", { tasks: event.tasks.length });
  }
}
