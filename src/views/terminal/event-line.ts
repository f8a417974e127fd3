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
import { describeSteering, waitReasons } from "../summary/describe.ts";
import { countCriteria, renderCriteria } from "../summary/proof.ts";
import { bad, type Description, type EventLine, good, plain, warn } from "./line-marks.ts";
import { describeCallEnd, describeRepair, describeVerification } from "./verification-line.ts";

/** Describes an event for a user who follows a session; `state` is the state after the event. */
export function describeEvent(event: RunEvent, state: SessionState): EventLine {
  if (isVerifyFact(event)) return describeVerification(event, state.verification?.pictures ?? 0);
  if (isRepairFact(event)) return describeRepair(event);
  const line = describe(event, state);
  return "task" in event && event.task !== undefined ? { task: event.task, ...line } : line;
}

type OtherEvent = Exclude<RunEvent, { type: (VerifyFact | RepairFact)["type"] | "fix_checked" }>;

const describe = <Type extends OtherEvent["type"]>(
  event: Extract<OtherEvent, { type: Type }>,
  state: SessionState,
) => table[event.type as Type](event, state);

const table: {
  [Type in OtherEvent["type"]]: (
    event: Extract<OtherEvent, { type: Type }>,
    state: SessionState,
  ) => Description;
} = {
  session_start: ({ session_id, branch, selected }) =>
    plain(plainLine(`session ${session_id} on ${branch}: ${counted(selected.length, "task")}`)),
  session_resume: (_, { session, head }) =>
    plain(`session ${session.session_id} resumed at ${shortCommit(head)}`),
  // The summary that follows begins with this message, so only `verbose` prints it here.
  session_end: ({ reason, message }) =>
    (reason === "all_done" || reason === "nothing_to_do" ? good : bad)(
      plainLine(message, 1000),
      "verbose",
    ),
  tasks_reloaded: ({ tasks }) => plain(`task list read again: ${counted(tasks.length, "task")}`),
  steered: ({ order, refused }) =>
    refused === undefined
      ? plain(`command: ${describeSteering(order)}`)
      : warn(plainLine(`Warning: ${refused}`, 400)),
  setup_end: setupEnd,
  baseline_end: ({ gate, status }) =>
    plain(plainLine(`gate ${gate} on the start commit: ${status}`)),
  wait: ({ because, ms, until }) => {
    const text = `${waitReasons[because]}; waiting ${renderDuration(ms)}, until ${renderStamp(until)} UTC`;
    return { level: "normal", mark: "wait", text };
  },
  recheck_end: ({ commit, failures }) =>
    failures.length === 0
      ? good(`${shortCommit(commit)} checked again: it holds`)
      : bad(plainLine(`${shortCommit(commit)} no longer holds: ${failures.join("; ")}`, 400)),
  tampering: ({ message }) => bad(plainLine(`tampering: ${message}`, 400)),
  warning: ({ message }) => warn(plainLine(`Warning: ${message}`, 600)),
  work_kept: ({ tree }) => plain(`work kept as tree ${shortCommit(tree)}`),

  task_claimed: ({ worker }) => plain(plainLine(`assigned to ${worker}`), "verbose"),
  task_start: ({ task }, state) => plain(plainLine(taskOf(state, task).task.title)),
  agent_start: agentStart,
  agent_end: describeCallEnd,
  gate_end: gateEnd,
  gate_fixed: ({ gate, paths }) =>
    plain(plainLine(`gate ${gate} changed ${paths.join(" ")}; all gates run again`, 400)),
  criteria_end: ({ task }, state) => {
    const count = countCriteria(taskOf(state, task));
    return count.failed > 0 ? bad(renderCriteria(count), "normal") : good(renderCriteria(count));
  },
  work_shown: ({ part }) => plain(shownParts[part], "verbose"),
  proof_planned: ({ hunks }) =>
    plain(`proof planned, ${counted(hunks.length, "change")} to take back`, "verbose"),
  proof_gate_end: ({ part, gate, status, ms }) =>
    plain(
      `proof ${part}: gate ${gate} ${status.replaceAll("_", " ")}, ${renderDuration(ms)}`,
      "verbose",
    ),
  proof_asked: ({ feedback }) =>
    bad(`the test writer is asked again: ${plainLine(feedback)}`, "normal"),
  proof_judged: proofJudged,
  iteration_failed: retry,
  subtask_passed: ({ subtask }) => good(`subtask ${subtask} passed`),
  task_merged: ({ onto }) =>
    plain(`merged with tasks that passed meanwhile (${shortCommit(onto)})`),
  task_passed: ({ files }) =>
    good(`passes with ${counted(files.length, "changed file")}`, "verbose"),
  task_committed: ({ commit, task }, state) => {
    const { usage, iterations } = taskOf(state, task);
    const cost = usage.cost_usd === undefined ? "" : `, ${renderCost(usage.cost_usd)}`;
    return good(`passed as ${shortCommit(commit)}, ${counted(iterations, "iteration")}${cost}`);
  },
  task_failed: ({ message }) => bad(`failed: ${plainLine(headline(message), 400)}`),
  task_blocked: ({ message }) => bad(`blocked: ${plainLine(headline(message), 400)}`),
};

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
function agentStart(event: FactOf<"agent_start">, state: SessionState): Description {
  const { role, iteration, driver, model } = event;
  const calls = taskOf(state, event.task).calls[role];
  const program = [driver, model].filter(Boolean).join(" ");
  const call = calls === iteration ? "" : `, call ${calls}`;
  return plain(plainLine(`${role} started, iteration ${iteration}${call} (${program})`));
}

function gateEnd(event: FactOf<"gate_end">, state: SessionState): Description {
  const { gate, level, status, ms, detail } = event;
  const removed = freshLeftovers(event, taskOf(state, event.task)).slice(0, 5).join(" ");
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

/** Each leftover is named once in a task (design 4.3); `task` includes this result. */
function freshLeftovers({ key, tree, leftovers }: FactOf<"gate_end">, task: TaskState): string[] {
  const others = Object.values(task.gates).filter((gate) => gate.key !== key || gate.tree !== tree);
  const named = new Set(others.flatMap((gate) => gate.leftovers));
  return leftovers.filter((path) => !named.has(path));
}

/** A gate's output is shown when it ends, and not again. */
function retry({ because, feedback }: FactOf<"iteration_failed">): Description {
  const [first = "", ...more] = plainText(feedback).trim().split("\n");
  const description = bad(`retry, ${because}: ${plainLine(first)}`, "normal");
  if (because === "gate") return description;
  return { ...description, output: more.slice(0, 12).map((line) => plainLine(line, 160)) };
}

function setupEnd({ name, status, ms, worker }: FactOf<"setup_end">): Description {
  if (status === "skipped") return plain(plainLine(`setup ${name}: already done for these files`));
  const forWorker = worker ? ` for ${worker}` : "";
  const end = `${status.replaceAll("_", " ")}, ${renderDuration(ms)}`;
  const text = plainLine(`setup ${name}${forWorker} ${end}`);
  return status === "passed" ? good(text) : bad(text);
}
