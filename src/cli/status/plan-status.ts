import {
  type AutopilotRun,
  readAutopilotRun,
  readLastAutopilotRun,
} from "../../autopilot/run/autopilot-run.ts";
import { lockPath } from "../../entry/take-lock.ts";
import { lastSessionId, type SessionStore, sessionIds } from "../../journal/session-store.ts";
import { readLockOwner } from "../../platform/locks/session-lock.ts";
import type { LockOwner } from "../../platform/process/lock-owner.ts";
import { renderCost, renderDuration, renderStamp } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { CommandContext } from "../core/command.ts";

/** An autopilot run without a session: it is planning, or it stopped while planning. */
export interface PlanSnapshot {
  run: AutopilotRun;
  /** The process that runs it now. */
  owner: LockOwner | undefined;
}

/** The run that is planning, else the last run if it stopped before its session; undefined if a session is newer. */
export async function readLastPlan(store: SessionStore): Promise<PlanSnapshot | undefined> {
  const owner = await readLockOwner(lockPath(store));
  const id = owner?.session_id ?? "";
  if ((await sessionIds(store)).includes(id)) return undefined;
  const own = owner && (await readAutopilotRun(store, id));
  const run = own ?? (await readStoppedRun(store));
  // A session takes the lock before it writes its journal.
  const isAtWork = own !== undefined || run?.record?.phase === "executing";
  return run && { run, owner: isAtWork ? owner : undefined };
}

async function readStoppedRun(store: SessionStore): Promise<AutopilotRun | undefined> {
  const run = await readLastAutopilotRun(store);
  if (!run || run.completed) return undefined;
  const session = (await lastSessionId(store)) ?? "";
  return timeOf(session) < timeOf(run.run_id) ? run : undefined;
}

/** Precision of one second: a run may start its session within the same second. */
const timeOf = (id: string) => id.slice(0, "20260125-143052".length);

type Liveness = "running" | "interrupted" | "ended";

const livenessOf = ({ owner, run }: PlanSnapshot): Liveness => {
  if (owner) return "running";
  return run.record?.completed_at === undefined ? "interrupted" : "ended";
};

/** The first missing result is the one in progress. */
function activityOf(run: AutopilotRun): string {
  const { analyzed, branch, requested, document, document_commit, list } = run;
  if (!analyzed) return `choosing the item of ${plainLine(run.report.path, 100)}`;
  if (branch === undefined) return "making the branch";
  if (requested.document === "with" && !document) return "writing the requirements document";
  if (requested.document === "with" && !document_commit?.commit) return "committing the document";
  return list === undefined ? "writing the task list" : "committing the task list";
}

const next: Record<Liveness, string> = {
  running: "Wait, or end it with `ralph cancel`.",
  interrupted: "No process is running. Continue with `ralph autopilot --resume`.",
  ended: "Continue with `ralph autopilot --resume`, or start again with `ralph autopilot`.",
};

/** The status of a run before its session. `now` in milliseconds since 1970. */
export function renderPlanStatus(seen: PlanSnapshot, now: number): string {
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

function headline(seen: PlanSnapshot): string {
  const { record } = seen.run;
  const { phase = "starting", status, failure_reason: reason = "" } = record ?? {};
  if (livenessOf(seen) === "ended") return `${status}${reason && ` - ${plainLine(reason, 300)}`}`;
  return seen.owner ? phase : `stopped while ${phase}`;
}

function describe({ owner, run }: PlanSnapshot, now: number): string {
  const since = run.kept_at ?? run.started_at;
  const long = owner ? ` (${renderDuration(Math.max(0, now - Date.parse(since)))})` : "";
  return `${activityOf(run)}, since ${renderStamp(since)} UTC${long}`;
}

/** One line for a prompt or tmux: `ralph autopilot planning`. */
export function renderPlanLine(seen: PlanSnapshot): string {
  const { phase = "starting", status } = seen.run.record ?? {};
  const liveness = livenessOf(seen);
  const word = { running: phase, interrupted: "interrupted", ended: status ?? "ended" }[liveness];
  return `ralph autopilot ${word}`;
}

/** The same as JSON. */
export function planStatusJson(seen: PlanSnapshot): object {
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

/** Polling interval, and how many polls without a process mean that a run has stopped. */
const pollMs = 500;
const maxIdlePolls = 4;

/** Shows a run again after each step, until it stops (`shown`) or its session starts (`over`). */
export async function watchPlan(
  { system: { clock }, signal }: CommandContext,
  {
    store,
    plan,
    show,
  }: { store: SessionStore; plan: PlanSnapshot; show: (plan: PlanSnapshot) => void },
): Promise<"shown" | "over"> {
  let current = plan;
  show(current);
  for (let idle = isContinuing(plan) ? 0 : maxIdlePolls; idle < maxIdlePolls; ) {
    await clock.sleep(pollMs, signal);
    if (signal.aborted) return "shown";
    const next = await readLastPlan(store);
    if (!next) return "over";
    idle = next.owner ? 0 : idle + 1;
    if (next.run.kept_at !== current.run.kept_at || idle === maxIdlePolls) show(next);
    current = next;
  }
  return "shown";
}

/** No process holds the lock for a moment between planning and session. */
const isContinuing = ({ owner, run: { list_commit, record } }: PlanSnapshot) =>
  owner !== undefined || (list_commit?.commit !== undefined && !record?.completed_at);
