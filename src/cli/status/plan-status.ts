import type { AutopilotRun } from "../../autopilot/run/autopilot-run.ts";
import { renderCost, renderDuration, renderStamp } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { SeenPlan } from "./read-plan.ts";

type Liveness = "running" | "interrupted" | "ended";

const livenessOf = ({ owner, run }: SeenPlan): Liveness => {
  if (owner) return "running";
  return run.record?.completed_at === undefined ? "interrupted" : "ended";
};

/** What is missing is what is being made. */
function activityOf(run: AutopilotRun): string {
  const { analyzed, branch, wishes, document, document_commit, list } = run;
  if (!analyzed) return `choosing the item of ${plainLine(run.report.path, 100)}`;
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
  const { run } = seen;
  const liveness = livenessOf(seen);
  const item = run.analyzed?.analysis.priority_item;
  const cost = run.asked.usage.cost_usd;
  return [
    `Run      ${run.run_id}: ${headline(seen)}`,
    ...(liveness === "ended" ? [] : [`Now      ${describe(seen, now)}`]),
    ...(item === undefined ? [] : [`Item     ${plainLine(item)}`]),
    ...(run.branch === undefined ? [] : [`Branch   ${run.branch}`]),
    ...(cost === undefined ? [] : [`Cost     ${renderCost(cost)}`]),
    "",
    `Next     ${next[liveness]}`,
  ].join("\n");
}

function headline(seen: SeenPlan): string {
  const { record } = seen.run;
  const { phase = "starting", status, failure_reason: reason = "" } = record ?? {};
  if (livenessOf(seen) === "ended") return `${status}${reason && ` - ${plainLine(reason, 300)}`}`;
  return seen.owner ? phase : `stopped while ${phase}`;
}

function describe({ owner, run }: SeenPlan, now: number): string {
  const since = run.kept_at ?? run.started_at;
  const long = owner ? ` (${renderDuration(Math.max(0, now - Date.parse(since)))})` : "";
  return `${activityOf(run)}, since ${renderStamp(since)} UTC${long}`;
}

/** One line for a prompt or tmux: `ralph autopilot planning`. */
export function renderPlanLine(seen: SeenPlan): string {
  const { phase = "starting", status } = seen.run.record ?? {};
  const liveness = livenessOf(seen);
  const word = { running: phase, interrupted: "interrupted", ended: status ?? "ended" }[liveness];
  return `ralph autopilot ${word}`;
}

/** The same for programs. */
export function planStatusJson(seen: SeenPlan): object {
  const { run, owner } = seen;
  const liveness = livenessOf(seen);
  return {
    ...{ liveness, run_id: run.run_id, phase: run.record?.phase ?? "pending" },
    activity: liveness === "ended" ? null : activityOf(run),
    since: run.kept_at ?? run.started_at,
    item: run.analyzed?.analysis.priority_item ?? null,
    branch: run.branch ?? null,
    message: run.record?.failure_reason ?? null,
    next: next[liveness],
    process: owner ?? null,
  };
}
