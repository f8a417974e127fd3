import {
  type AutopilotRun,
  readAutopilotRun,
  readLastAutopilotRun,
} from "../../autopilot/run/autopilot-run.ts";
import { lockPath } from "../../entry/take-lock.ts";
import { lastSessionId, type SessionStore, sessionIds } from "../../journal/session-store.ts";
import { readLockOwner } from "../../platform/locks/lock.ts";
import type { LockOwner } from "../../platform/process/lock-owner.ts";
import { renderCost, renderDuration, renderStamp } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { CommandContext } from "../core/command.ts";

/** An autopilot run that has no session: it is planning, or it stopped there. */
export interface PlanSnapshot {
  run: AutopilotRun;
  /** The process that works on it now. */
  owner: LockOwner | undefined;
}

/** The run that plans now, else one that stopped before its session; undefined when a session is the news. */
export async function readLastPlan(store: SessionStore): Promise<PlanSnapshot | undefined> {
  const owner = await readLockOwner(lockPath(store));
  const id = owner?.session_id ?? "";
  if ((await sessionIds(store)).includes(id)) return undefined;
  const own = owner && (await readAutopilotRun(store, id));
  const run = own ?? (await readStoppedRun(store));
  // Its session has the lock before it has a journal.
  const isAtWork = own !== undefined || run?.record?.phase === "executing";
  return run && { run, owner: isAtWork ? owner : undefined };
}

async function readStoppedRun(store: SessionStore): Promise<AutopilotRun | undefined> {
  const run = await readLastAutopilotRun(store);
  if (!run || run.completed) return undefined;
  const session = (await lastSessionId(store)) ?? "";
  return timeOf(session) < timeOf(run.run_id) ? run : undefined;
}

/** Up to the second, in which a run may come to its session. */
const timeOf = (id: string) => id.slice(0, "20260125-143052".length);

type Liveness = "running" | "interrupted" | "ended";

const livenessOf = ({ owner, run }: PlanSnapshot): Liveness => {
  if (owner) return "running";
  return run.record?.completed_at === undefined ? "interrupted" : "ended";
};

/** What is missing is what is being made. */
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
  interrupted: "Nothing works on it now. Go on with `ralph autopilot --resume`.",
  ended: "Go on with `ralph autopilot --resume`, or start anew with `ralph autopilot`.",
};

/** How a run stands before its session, for people. `now` in milliseconds since 1970. */
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

/** The same for programs. */
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

/** How often a look is taken, ms; and how often a run may be without a process before it counts as stopped. */
const pollMs = 500;
const maxIdlePolls = 4;

type Watched = { store: SessionStore; plan: PlanSnapshot; show: (plan: PlanSnapshot) => void };

/** Shows a run again whenever it went on, until it stops (`shown`) or its session begins (`over`). */
export async function watchPlan(
  { system: { clock }, signal }: CommandContext,
  { store, plan, show }: Watched,
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

/** Between planning and session nobody holds the lock for a moment. */
const isContinuing = ({ owner, run: { list_commit, record } }: PlanSnapshot) =>
  owner !== undefined || (list_commit?.commit !== undefined && !record?.completed_at);
