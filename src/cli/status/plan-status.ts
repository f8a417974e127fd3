import type { AutopilotRun } from "../../autopilot/run/autopilot-run.ts";
import { renderCost, renderDuration, renderStamp } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { SeenPlan } from "./read-plan.ts";

type Liveness = "running" | "interrupted" | "ended";

const livenessOf = ({ owner, state }: SeenPlan): Liveness => {
  if (owner) return "running";
  return state.record?.completed_at === undefined ? "interrupted" : "ended";
};

/** What is missing is what is being made. */
function activityOf(state: AutopilotRun): string {
  const { analyzed, branch, wishes, document, document_commit, list } = state;
  if (!analyzed) return `choosing the item of ${plainLine(state.report.path, 100)}`;
  if (branch === undefined) return "making the branch";
  if (wishes.document === "with" && !document) return "writing the requirements document";
  if (wishes.document === "with" && !document_commit?.commit) return "committing the document";
  return list === undefined ? "writing the task list" : "committing the task list";
}

const next: Record<Liveness, string> = {
  running: "Wait, or end it with `ralph cancel`.",
  interrupted: "Nothing works on it now. Go on with `ralph autopilot --resume`.",
  ended: "Go on with `ralph autopilot --resume`, or start anew with `ralph autopilot`.",
};

/** How a run stands before its session, for people. `now` in milliseconds since 1970. */
export function renderPlanStatus(seen: SeenPlan, now: number): string {
  const { state } = seen;
  const liveness = livenessOf(seen);
  const item = state.analyzed?.analysis.priority_item;
  const cost = state.asked.usage.cost_usd;
  return [
    `Run      ${state.run_id}: ${headline(seen)}`,
    ...(liveness === "ended" ? [] : [`Now      ${describe(seen, now)}`]),
    ...(item === undefined ? [] : [`Item     ${plainLine(item)}`]),
    ...(state.branch === undefined ? [] : [`Branch   ${state.branch}`]),
    ...(cost === undefined ? [] : [`Cost     ${renderCost(cost)}`]),
    "",
    `Next     ${next[liveness]}`,
  ].join("\n");
}

function headline(seen: SeenPlan): string {
  const { record } = seen.state;
  const { phase = "starting", status, failure_reason: reason = "" } = record ?? {};
  if (livenessOf(seen) === "ended") return `${status}${reason && ` - ${plainLine(reason, 300)}`}`;
  return seen.owner ? phase : `stopped while ${phase}`;
}

function describe({ owner, state }: SeenPlan, now: number): string {
  const since = state.kept_at ?? state.started_at;
  const long = owner ? ` (${renderDuration(Math.max(0, now - Date.parse(since)))})` : "";
  return `${activityOf(state)}, since ${renderStamp(since)} UTC${long}`;
}

/** One line for a prompt or tmux: `ralph autopilot planning`. */
export function renderPlanLine(seen: SeenPlan): string {
  const { phase = "starting", status } = seen.state.record ?? {};
  const liveness = livenessOf(seen);
  const word = { running: phase, interrupted: "interrupted", ended: status ?? "ended" }[liveness];
  return `ralph autopilot ${word}`;
}

/** The same for programs. */
export function planStatusJson(seen: SeenPlan): object {
  const { state, owner } = seen;
  const liveness = livenessOf(seen);
  return {
    ...{ liveness, run_id: state.run_id, phase: state.record?.phase ?? "pending" },
    activity: liveness === "ended" ? null : activityOf(state),
    since: state.kept_at ?? state.started_at,
    item: state.analyzed?.analysis.priority_item ?? null,
    branch: state.branch ?? null,
    message: state.record?.failure_reason ?? null,
    next: next[liveness],
    process: owner ?? null,
  };
}
