import type { FactOf, RunEvent } from "../../core/state/event.ts";
import { isRepairFact, type RepairFact } from "../../core/state/repair-event.ts";
import { type SessionState, type TaskState, taskOf } from "../../core/state/session-state.ts";
import { isVerifyFact, type VerifyFact } from "../../core/state/verify-event.ts";
import { failureExcerpt, headline } from "../../text/failure-excerpt.ts";
import {
  counted,
  renderCost,
  renderDuration,
  renderStamp,
  shortCommit,
} from "../../text/figures.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import { describeOutcome, describeSteering } from "../summary/describe.ts";
import { countCriteria, renderCriteria } from "../summary/proof.ts";
import { bad, type Description, type EventLine, good, plain } from "./line-marks.ts";
import { describeRepair } from "./repair-line.ts";
import { describeVerification } from "./verify-line.ts";

/** Describes an event for a user who follows a session; `state` is the state after the event. */
export function describeEvent(event: RunEvent, state: SessionState): EventLine {
  if (event.type === "work_kept") return workKept(event);
  if (isVerifyFact(event)) return describeVerification(event, state.verification?.pictures ?? 0);
  if (isRepairFact(event)) return describeRepair(event);
  if (!("task" in event)) return describeSessionEvent(event, state);
  return { task: event.task, ...describeTaskEvent(event, taskOf(state, event.task)) };
}

type TaskEvent = Exclude<Extract<RunEvent, { task: string }>, { type: VerifyFact["type"] }>;

function describeTaskEvent(event: TaskEvent, task: TaskState): Description {
  switch (event.type) {
    case "task_claimed":
      return plain(plainLine(`assigned to ${event.worker}`), "verbose");
    case "task_start":
      return plain(plainLine(task.task.title));
    case "agent_start":
      return agentStart(event, task);
    case "agent_end":
      return agentEnd(event);
    case "gate_end":
      return gateEnd(event, task);
    case "criteria_end":
      return criteriaEnd(task);
    case "gate_fixed":
      return plain(
        plainLine(`gate ${event.gate} changed ${event.paths.join(" ")}; all gates run again`, 400),
      );
    case "work_shown":
      return plain(shownParts[event.part], "verbose");
    case "proof_planned":
      return plain(
        `proof planned, ${counted(event.hunks.length, "change")} to take back`,
        "verbose",
      );
    case "proof_gate_end":
      return plain(
        `proof ${event.part}: gate ${event.gate} ${event.status.replaceAll("_", " ")}, ${renderDuration(event.ms)}`,
        "verbose",
      );
    case "proof_asked":
      return bad(`the test writer is asked again: ${plainLine(event.feedback)}`, "normal");
    case "proof_judged":
      return proofJudged(event);
    case "iteration_failed":
      return retry(event);
    case "subtask_passed":
      return good(`subtask ${event.subtask} passed`);
    case "task_merged":
      return plain(`merged with tasks that passed meanwhile (${shortCommit(event.onto)})`);
    case "task_passed":
      return good(`passes with ${counted(event.files.length, "changed file")}`, "verbose");
    case "task_committed":
      return committed(event, task);
    case "task_failed":
    case "task_blocked":
      return bad(`${event.type.slice("task_".length)}: ${plainLine(headline(event.message), 400)}`);
  }
}

const shownParts: Record<FactOf<"work_shown">["part"], string> = {
  tests: "tests come first: the test writer works without the implementation",
  work: "the tests fail as they should; the implementation works without them",
  all: "tests and implementation are together",
};

const withoutWork: Record<string, string> = {
  red: "new tests fail without it",
  "load-error": "new tests do not load without it",
  green: "new tests pass without it",
  "no tests": "no new test",
};

function proofJudged({ figures, findings }: FactOf<"proof_judged">): Description {
  const { red_first, originals, witnessed, tried } = figures;
  const noticed = tried > 0 ? `, ${witnessed} of ${counted(tried, "change")} noticed` : "";
  const old = originals === "not applicable" ? "unchanged" : originals;
  const fresh = withoutWork[red_first] ?? `new tests without it: ${red_first}`;
  const text = `proof of the work: old tests ${old}, ${fresh}${noticed}`;
  const open = findings.filter(({ kind }) => kind === "finding");
  if (open.length === 0) return good(text);
  return bad(`${text}; ${plainLine(open.map(({ message }) => message).join(" "), 1000)}`, "normal");
}

/** The role's number of calls is `RALPH_ATTEMPT`; it is named where it is not the iteration's. */
function agentStart(event: FactOf<"agent_start">, { calls }: TaskState): Description {
  const { role, iteration, driver, model } = event;
  const program = [driver, model].filter(Boolean).join(" ");
  const call = calls[role] === iteration ? "" : `, call ${calls[role]}`;
  return plain(plainLine(`${role} started, iteration ${iteration}${call} (${program})`));
}

function agentEnd(event: FactOf<"agent_end">): Description {
  const { role, ms, usage, outcome, signal, refused, trespassed, ignored } = event;
  const reverted = [...refused, ...trespassed];
  const parts = [
    `${role} ${describeOutcome(event)}`,
    renderDuration(ms),
    usage.cost_usd === undefined ? [] : renderCost(usage.cost_usd),
    reverted.length > 0 ? `reverted: ${reverted.slice(0, 5).join(" ")}` : [],
    ignored.length > 0 ? `ignored files changed: ${ignored.slice(0, 5).join(" ")}` : [],
  ];
  const text = plainLine(parts.flat().join(", "), 400);
  const isGood = outcome.kind === "answered" && signal.kind === "valid";
  return isGood && signal.name !== "review-rejected" ? good(text) : bad(text, "normal");
}

function gateEnd(event: FactOf<"gate_end">, task: TaskState): Description {
  const { gate, level, status, ms, detail } = event;
  const removed = freshLeftovers(event, task).slice(0, 5).join(" ");
  const parts = [
    `gate ${gate} (${level}) ${status.replaceAll("_", " ")}, ${renderDuration(ms)}`,
    removed === "" ? [] : `removed leftovers: ${removed}`,
  ];
  const text = plainLine(parts.flat().join(", "), 400);
  if (status === "passed") return good(text);
  // Nothing was checked.
  if (status === "skipped") return plain(text);
  const [ending = "", ...output] = detail.split("\n");
  return {
    ...bad(ending === "" ? text : `${text}: ${plainLine(ending)}`, "normal"),
    output: failureExcerpt(output.join("\n"), event.fingerprints),
  };
}

/** A gate's output is shown when it ends, and not again. */
function retry({ because, feedback }: FactOf<"iteration_failed">): Description {
  const [first = "", ...more] = plainText(feedback).trim().split("\n");
  const description = bad(`retry, ${because}: ${plainLine(first)}`, "normal");
  if (because === "gate") return description;
  return { ...description, output: more.slice(0, 12).map((line) => plainLine(line, 160)) };
}

/** Each leftover is named once in a task (design 4.3); `task` includes this result. */
function freshLeftovers({ key, tree, leftovers }: FactOf<"gate_end">, task: TaskState): string[] {
  const others = Object.values(task.gates).filter((gate) => gate.key !== key || gate.tree !== tree);
  const named = new Set(others.flatMap((gate) => gate.leftovers));
  return leftovers.filter((path) => !named.has(path));
}

function criteriaEnd(task: TaskState): Description {
  const count = countCriteria(task);
  return count.failed > 0 ? bad(renderCriteria(count), "normal") : good(renderCriteria(count));
}

function committed({ commit }: FactOf<"task_committed">, task: TaskState): Description {
  const cost = task.usage.cost_usd === undefined ? "" : `, ${renderCost(task.usage.cost_usd)}`;
  return good(`passed as ${shortCommit(commit)}, ${counted(task.iterations, "iteration")}${cost}`);
}

function workKept({ task, tree }: FactOf<"work_kept">): EventLine {
  return { ...(task && { task }), ...plain(`work kept as tree ${shortCommit(tree)}`) };
}

type SessionEvent = Exclude<
  RunEvent,
  { task: string } | { type: "work_kept" | "fix_checked" | (VerifyFact | RepairFact)["type"] }
>;

function describeSessionEvent(event: SessionEvent, state: SessionState): Description {
  switch (event.type) {
    case "session_start":
      return sessionStart(event);
    case "session_resume":
      return plain(`session ${state.session.session_id} resumed at ${shortCommit(state.head)}`);
    case "tasks_reloaded":
      return plain(`task list read again: ${counted(event.tasks.length, "task")}`);
    case "steered":
      return steered(event);
    case "setup_end":
      return setupEnd(event);
    case "baseline_end":
      return plain(plainLine(`gate ${event.gate} on the start commit: ${event.status}`));
    case "wait":
      return wait(event);
    case "recheck_end":
      return recheckEnd(event);
    case "tampering":
      return bad(plainLine(`tampering: ${event.message}`, 400));
    case "warning":
      return { mark: "warn", level: "normal", text: plainLine(`Warning: ${event.message}`, 600) };
    case "session_end":
      return sessionEnd(event);
  }
}

function steered({ order, refused }: FactOf<"steered">): Description {
  if (refused === undefined) return plain(`command: ${describeSteering(order)}`);
  return { mark: "warn", level: "normal", text: plainLine(`Warning: ${refused}`, 400) };
}

function setupEnd({ name, status, ms, worker }: FactOf<"setup_end">): Description {
  if (status === "skipped") return plain(plainLine(`setup ${name}: already done for these files`));
  const forWorker = worker ? ` for ${worker}` : "";
  const end = `${status.replaceAll("_", " ")}, ${renderDuration(ms)}`;
  const text = plainLine(`setup ${name}${forWorker} ${end}`);
  return status === "passed" ? good(text) : bad(text);
}

function sessionStart({ session_id, branch, selected }: FactOf<"session_start">): Description {
  return plain(
    plainLine(`session ${session_id} on ${branch}: ${counted(selected.length, "task")}`),
  );
}

function wait({ because, ms, until }: FactOf<"wait">): Description {
  const reason = because === "limit" ? "the agent is rate limited" : "the agent failed";
  const text = `${reason}; waiting ${renderDuration(ms)}, until ${renderStamp(until)} UTC`;
  return { level: "normal", mark: "wait", text };
}

function recheckEnd({ commit, failures }: FactOf<"recheck_end">): Description {
  if (failures.length === 0) return good(`${shortCommit(commit)} checked again: it holds`);
  return bad(plainLine(`${shortCommit(commit)} no longer holds: ${failures.join("; ")}`, 400));
}

function sessionEnd({ reason, message }: FactOf<"session_end">): Description {
  const text = plainLine(message, 1000);
  const isGood = reason === "all_done" || reason === "nothing_to_do";
  // The summary that follows begins with this message, so only `verbose` prints it here.
  return isGood ? good(text, "verbose") : bad(text, "verbose");
}
