import type { TaskState } from "../../core/state/session-state.ts";
import { type Audit, isSound } from "../../session/audit/audit-session.ts";
import { counted } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { renderProofLine } from "../../views/summary/proof.ts";

/** What `ralph audit --json` prints. */
export function auditJson(found: Audit): object {
  const { state, digest, events, evidence, passes, problems } = found;
  return {
    sound: isSound(found),
    session_id: state?.session.session_id ?? null,
    journal: digest ?? null,
    events,
    evidence,
    tasks: passes.map(({ task, committed, lacks }) => ({
      id: task,
      commit: committed?.commit ?? null,
      problems: lacks,
    })),
    problems,
  };
}

/** A line for each task, every problem, and the verdict. */
export function renderAudit(found: Audit): string {
  const { state, problems } = found;
  const tasks = state?.tasks.map((task) => describeTask(task, found)) ?? [];
  return [...tasks, ...problems.map((problem) => `✗ ${problem}`), verdict(found)].join("\n");
}

function describeTask(run: TaskState, found: Audit): string {
  const { task, state, passedBefore } = run;
  const lacks = found.passes.filter((pass) => pass.task === task.id).flatMap((pass) => pass.lacks);
  if (lacks.length > 0) return [`✗ ${task.id}`, ...lacks.map((lack) => `    ${lack}`)].join("\n");
  if (state !== "passed") return `· ${task.id} ${stateOf(state, found)}`;
  if (passedBefore) return `· ${task.id} passed before this session`;
  return `✓ ${task.id} ${commitOf(run)}: ${plainLine(renderProofLine(run), 300)}`;
}

const stateOf = (status: string, { state }: Audit) =>
  status === "running" && state?.end ? "interrupted" : status;

const commitOf = ({ commit }: TaskState) =>
  commit ? `passed as ${commit.slice(0, 12)}` : "passed, not committed yet (`ralph run --resume`)";

function verdict(found: Audit): string {
  const { state, passes, problems, events, evidence } = found;
  const name = state ? `Session ${state.session.session_id}` : "This session";
  const looked = `${counted(events, "event")}, ${counted(evidence, "piece")} of evidence`;
  const faults = problems.length + passes.reduce((sum, { lacks }) => sum + lacks.length, 0);
  if (faults > 0) return `${name} is NOT sound: ${counted(faults, "problem")} (${looked}).`;
  return `${name} is sound: ${looked}, journal ${found.digest}.`;
}
