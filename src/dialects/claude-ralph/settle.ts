import { basename } from "node:path/posix";
import type { SessionState } from "../../core/state/session-state.ts";
import { SessionId } from "../../schema/base/identity.ts";
import type { ForeignFile, ForeignTree, SettleRequest } from "../dialect.ts";
import { renderJson } from "../json-text.ts";
import { sessionIn } from "./agent-states.ts";
import { changed, endAgent, endProgress, releaseClaims } from "./cancel.ts";
import { claimsOfOthers, sessionOf } from "./owners.ts";
import { archivePath, claudeRalphFileAt, locksOf, planIdOf } from "./paths.ts";
import { agentsIn, type ClaudeRalphPlan, parseAgent, parseQueue, plansIn } from "./plans.ts";
import type { ClaudeRalphAgent, ClaudeRalphTask } from "./schema/index.ts";

/**
 * Archives the plans of ralph's sessions that did not complete, with their claims released and their agents removed. Of a
 * session that is about to be resumed the queue stays, and its agents are ended: until its first update they show whose
 * queue it is.
 */
export function settleClaudeRalph(tree: ForeignTree, request: SettleRequest): ForeignFile[] {
  const plans = plansIn(tree);
  const left = agentsIn(tree).filter(
    ({ data }) => isOurs(data) && !plans.some(({ id }) => id === data.plan_id),
  );
  return [
    ...plans.flatMap((plan) => settlePlan(plan, request)),
    // What a kill in the midst of this leaves.
    ...left.map(({ path }) => removed(path)),
  ];
}

const isOurs = (agent: ClaudeRalphAgent) => SessionId.safeParse(sessionIn(agent)).success;

function settlePlan(plan: ClaudeRalphPlan, { now, resumed, passed }: SettleRequest): ForeignFile[] {
  const session = sessionOf(plan);
  if (session === undefined) return [];
  if (session === resumed) {
    const ended = plan.agents.map(({ path }) =>
      changed(path, now, (text) => endAgent(text, { now, because: "interrupted" })),
    );
    return [...released(plan, now, passed), ...progressOf(plan), ...ended];
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
  const moved = (file: { path: string } | undefined, data: object | undefined) =>
    file && data ? [copyOf(file.path, session, data), removed(file.path)] : [];
  return [
    ...moved(queue, queue && releaseClaims(queue.data, () => true)),
    ...moved(retries, retries?.data),
    ...moved(progress, progress && endProgress(renderJson(progress.data), now)),
  ];
}

const copyOf = (path: string, session: string, data: object): ForeignFile => ({
  path: archivePath(session, basename(path)),
  locks: locksOf(archivePath(session, basename(path))),
  text: renderJson(data),
});

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
