import { basename } from "node:path/posix";
import type { SessionState } from "../../core/state/session-state.ts";
import type { CancelRequest, ForeignFile, ForeignTree, SettleRequest } from "../dialect.ts";
import { renderJson } from "../json-text.ts";
import { archivePath, claudeRalphFileAt, locksOf, planIdOf } from "./paths.ts";
import {
  agentsIn,
  type ClaudeRalphPlan,
  claimsOfOthers,
  idOf,
  isActive,
  parseAgent,
  parseProgress,
  parseQueue,
  plansIn,
  sessionOf,
} from "./plans.ts";
import type { ClaudeRalphQueue, ClaudeRalphTask } from "./schema/index.ts";

/**
 * Ends an active plan: its claims return to the queue, its agents become failed. The format has no stop signal; agents
 * notice when they look for their claim. Unknown fields stay.
 */
export function cancelClaudeRalph(tree: ForeignTree, { id, now }: CancelRequest): ForeignFile[] {
  const plan = plansIn(tree).find(
    (each) => isActive(each, now) && (id === undefined || each.id === id || idOf(each) === id),
  );
  if (!plan?.queue) return [];
  const { queue, progress, agents } = plan;
  const working = agents.filter(({ data }) => isAtWork(data.status));
  return [
    changed(queue.path, now, (text) => releaseClaims(parseQueue(text), () => true)),
    ...working.map(({ path }) => ended(path, now, "cancelled")),
    ...(progress ? [changed(progress.path, now, (text) => endProgress(text, now))] : []),
  ];
}

const isAtWork = (status: string) => status === "working" || status === "initializing";

/** Decides by the content under the lock. */
function changed(
  path: string,
  now: string,
  change: (text: string | undefined) => object | undefined,
): ForeignFile {
  const merge = (text: string | undefined) => {
    const next = change(text);
    return next && renderJson(next);
  };
  return { path, locks: locksOf(path), ours: `cancelled ${now}`, merge };
}

function releaseClaims(
  queue: ClaudeRalphQueue | undefined,
  isReleased: (task: ClaudeRalphTask) => boolean,
): ClaudeRalphQueue | undefined {
  const free = { status: "pending", claimed_by: null, claimed_at: null } as const;
  const release = (task: ClaudeRalphTask) =>
    task.status === "claimed" && isReleased(task) ? { ...task, ...free } : task;
  return queue && { ...queue, tasks: queue.tasks.map(release) };
}

const ended = (path: string, now: string, because: string): ForeignFile =>
  changed(path, now, (text) => {
    const state = parseAgent(text);
    if (!state || !isAtWork(state.status)) return undefined;
    const notes = [state.context.notes, because].filter((part) => part !== "").join("\n");
    const context = { ...state.context, notes };
    return { ...state, status: "failed", last_checkpoint: now, context };
  });

function endProgress(text: string | undefined, now: string): object | undefined {
  const progress = parseProgress(text);
  if (!progress) return undefined;
  const end = { status: "failed", completed_at: now } as const;
  const agents = progress.agents.map((each) =>
    each.status === "active" ? { ...each, ...end } : each,
  );
  const failed = agents.filter(({ status }) => status === "failed").length;
  return { ...progress, agents, agents_active: 0, agents_failed: failed, updated_at: now };
}

/**
 * Archives the plans of ralph's sessions that did not complete, with their claims released and their agents removed. Of a
 * session that is about to be resumed the queue stays, and its agents are ended: until its first update they show whose
 * queue it is.
 */
export function settleClaudeRalph(tree: ForeignTree, request: SettleRequest): ForeignFile[] {
  const plans = plansIn(tree);
  const left = agentsIn(tree).filter(
    (agent) => sessionOf({ agents: [agent] }) && !plans.some(({ id }) => id === agent.data.plan_id),
  );
  return [
    ...plans.flatMap((plan) => settlePlan(plan, request)),
    // What a kill in the midst of this leaves.
    ...left.map(({ path }) => removed(path)),
  ];
}

function settlePlan(plan: ClaudeRalphPlan, { now, resumed, passed }: SettleRequest): ForeignFile[] {
  const session = sessionOf(plan);
  if (session === undefined) return [];
  if (session === resumed) {
    const agents = plan.agents.map(({ path }) => ended(path, now, "interrupted"));
    return [...released(plan, now, passed), ...progressOf(plan), ...agents];
  }
  const agents = plan.agents.map(({ path }) => removed(path));
  // Another program has a task of it.
  if (claimsOfOthers(plan).length > 0)
    return [...released(plan, now), ...progressOf(plan), ...agents];
  return [...archived(plan, { now, session }), ...agents];
}

const progressOf = ({ progress }: ClaudeRalphPlan) => (progress ? [removed(progress.path)] : []);

/** A task that has passed becomes done. */
function released(
  { queue, agents }: ClaudeRalphPlan,
  now: string,
  passed: ReadonlySet<string> = new Set(),
): ForeignFile[] {
  const names = new Set(agents.map(({ data }) => data.agent_id));
  const isClaim = ({ status, claimed_by }: ClaudeRalphTask) =>
    status === "claimed" && names.has(claimed_by ?? "");
  const finished = (task: ClaudeRalphTask): ClaudeRalphTask =>
    isClaim(task) && passed.has(task.id) ? { ...task, status: "done", completed_at: now } : task;
  const change = (text: string | undefined) => {
    const found = parseQueue(text);
    return found && releaseClaims({ ...found, tasks: found.tasks.map(finished) }, isClaim);
  };
  return queue ? [changed(queue.path, now, change)] : [];
}

const removed = (path: string): ForeignFile => ({ path, locks: locksOf(path), text: undefined });

function archived(
  { queue, retries, progress }: ClaudeRalphPlan,
  { now, session }: { now: string; session: string },
): ForeignFile[] {
  const moved = (file: { path: string } | undefined, data: object | undefined) => {
    if (!file || !data) return [];
    const path = archivePath(session, basename(file.path));
    return [{ path, locks: locksOf(path), text: renderJson(data) }, removed(file.path)];
  };
  return [
    ...moved(queue, queue && releaseClaims(queue.data, () => true)),
    ...moved(retries, retries?.data),
    ...moved(progress, progress && endProgress(renderJson(progress.data), now)),
  ];
}

/** A queue of the same name that this session did not begin, and the state of another plan's agent. */
export function keepPlanAside(
  { path, text }: { path: string; text: string },
  { session, startedAt }: SessionState,
): string | undefined {
  const kind = claudeRalphFileAt(path)?.kind;
  const isForeign =
    (kind === "queue" && parseQueue(text)?.created_at !== startedAt) ||
    (kind === "agent" && parseAgent(text)?.plan_id !== planIdOf(session.branch));
  return isForeign ? archivePath(`before-${session.session_id}`, basename(path)) : undefined;
}
