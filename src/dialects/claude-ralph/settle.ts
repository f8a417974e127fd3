import { basename } from "node:path/posix";
import type { SessionState } from "../../core/state/session-state.ts";
import type { ForeignFile, ForeignTree, SettleRequest } from "../dialect.ts";
import { renderJson } from "../json-text.ts";
import { changed, endProgress, releaseClaims } from "./cancel.ts";
import { claimsOfOthers, sessionOf } from "./owners.ts";
import { archivePath, claudeRalphFileAt, locksOf, planIdOf } from "./paths.ts";
import { type ClaudeRalphPlan, parseAgent, parseQueue, plansIn } from "./plans.ts";
import type { ClaudeRalphTask } from "./schema/index.ts";

/**
 * Archives the plans of ralph's sessions that did not complete, with their claims released and their agents ended. Of a
 * session that is about to be resumed only the queue stays: its agents begin new lives.
 */
export function settleClaudeRalph(
  tree: ForeignTree,
  { now, resumed, passed }: SettleRequest,
): ForeignFile[] {
  return plansIn(tree).flatMap((plan) => {
    const session = sessionOf(plan);
    if (session === undefined) return [];
    const agents = plan.agents.map(({ path }) => removed(path));
    // The queue stays, without claims: no file would name their agents as ralph's. A task that has passed becomes done.
    if (session === resumed)
      return [...released(plan, now, passed), ...progressOf(plan), ...agents];
    // Another program has a task of it.
    if (claimsOfOthers(plan).length > 0)
      return [...released(plan, now), ...progressOf(plan), ...agents];
    return [...archived(plan, { now, session }), ...agents];
  });
}

const progressOf = ({ progress }: ClaudeRalphPlan) => (progress ? [removed(progress.path)] : []);

function released(
  { queue, agents }: ClaudeRalphPlan,
  now: string,
  passed: ReadonlySet<string> = new Set(),
): ForeignFile[] {
  const names = new Set(agents.map(({ data }) => data.agent_id));
  const isReleased = ({ id, claimed_by }: ClaudeRalphTask) =>
    names.has(claimed_by ?? "") && !passed.has(id);
  return queue ? [changed(queue.path, now, (text) => releaseClaims(text, isReleased))] : [];
}

const removed = (path: string): ForeignFile => ({ path, locks: locksOf(path), text: undefined });

function archived(
  { queue, retries, progress }: ClaudeRalphPlan,
  { now, session }: { now: string; session: string },
): ForeignFile[] {
  const moved = (file: { path: string } | undefined, data: object | undefined) =>
    file && data ? [copyOf(file.path, session, data), removed(file.path)] : [];
  return [
    ...moved(queue, queue && releaseClaims(renderJson(queue.data), () => true)),
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
