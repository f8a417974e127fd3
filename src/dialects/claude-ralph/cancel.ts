import type { CancelRequest, ForeignFile, ForeignTree } from "../dialect.ts";
import { renderJson } from "../json-text.ts";
import { locksOf } from "./paths.ts";
import { parseAgent, parseProgress, parseQueue, plansIn } from "./plans.ts";
import { idOf, isActive } from "./read.ts";
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
    ...working.map(({ path }) =>
      changed(path, now, (text) => endAgent(text, { now, because: "cancelled" })),
    ),
    ...(progress ? [changed(progress.path, now, (text) => endProgress(text, now))] : []),
  ];
}

const isAtWork = (status: string) => status === "working" || status === "initializing";

/** Decides by the content under the lock. */
export function changed(
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

/** The queue with these claims released. */
export function releaseClaims(
  queue: ClaudeRalphQueue | undefined,
  isReleased: (task: ClaudeRalphTask) => boolean,
): ClaudeRalphQueue | undefined {
  const free = { status: "pending", claimed_by: null, claimed_at: null } as const;
  const release = (task: ClaudeRalphTask) =>
    task.status === "claimed" && isReleased(task) ? { ...task, ...free } : task;
  return queue && { ...queue, tasks: queue.tasks.map(release) };
}

/** An agent's state with its end; undefined for one that has ended. */
export function endAgent(
  text: string | undefined,
  { now, because }: { now: string; because: string },
): object | undefined {
  const state = parseAgent(text);
  if (!state || !isAtWork(state.status)) return undefined;
  const notes = [state.context.notes, because].filter((part) => part !== "").join("\n");
  const context = { ...state.context, notes };
  return { ...state, status: "failed", last_checkpoint: now, context };
}

export function endProgress(text: string | undefined, now: string): object | undefined {
  const progress = parseProgress(text);
  if (!progress) return undefined;
  const end = { status: "failed", completed_at: now } as const;
  const agents = progress.agents.map((each) =>
    each.status === "active" ? { ...each, ...end } : each,
  );
  const failed = agents.filter(({ status }) => status === "failed").length;
  return { ...progress, agents, agents_active: 0, agents_failed: failed, updated_at: now };
}
