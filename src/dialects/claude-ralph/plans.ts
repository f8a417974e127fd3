import { SessionId } from "../../schema/base/fields.ts";
import type { Phase } from "../../schema/base/phase.ts";
import type { ForeignRun, ForeignTree } from "../dialect.ts";
import { parsedBy } from "../json-text.ts";
import { sessionIn } from "./agent-states.ts";
import { claudeRalphFileAt } from "./paths.ts";
import type {
  ClaudeRalphAgent,
  ClaudeRalphProgress,
  ClaudeRalphQueue,
  ClaudeRalphRetries,
  ClaudeRalphTask,
} from "./schema/index.ts";
import { checkAgent, checkProgress, checkQueue, checkRetries } from "./schema/rules.ts";

export const parseQueue = parsedBy(checkQueue);
export const parseProgress = parsedBy(checkProgress);
export const parseAgent = parsedBy(checkAgent);

type FoundFile<Data> = { path: string; data: Data };

/** The valid files of a plan. */
export interface ClaudeRalphPlan {
  id: string;
  queue: FoundFile<ClaudeRalphQueue> | undefined;
  retries: FoundFile<ClaudeRalphRetries> | undefined;
  progress: FoundFile<ClaudeRalphProgress> | undefined;
  agents: readonly FoundFile<ClaudeRalphAgent>[];
}

const parsers = { queue: parseQueue, retries: parsedBy(checkRetries), progress: parseProgress };

/** The plans in use, newest first; archived plans have ended. */
export function plansIn(tree: ForeignTree): ClaudeRalphPlan[] {
  const plans = new Map<string, ClaudeRalphPlan>();
  const agents = agentsIn(tree);
  for (const [path, text] of tree) {
    const file = claudeRalphFileAt(path);
    if (!file || file.kind === "agent" || file.isArchived) continue;
    const data = parsers[file.kind](text);
    if (!data) continue;
    const { plan_id: id } = data;
    const own = agents.filter((agent) => agent.data.plan_id === id);
    const empty = { id, queue: undefined, retries: undefined, progress: undefined, agents: own };
    plans.set(id, { ...(plans.get(id) ?? empty), [file.kind]: { path, data } });
  }
  return [...plans.values()].toSorted((a, b) => newest(b) - newest(a) || (a.id < b.id ? -1 : 1));
}

/** The states of all agents. */
export function agentsIn(tree: ForeignTree): FoundFile<ClaudeRalphAgent>[] {
  return [...tree].flatMap(([path, text]) => {
    const data = claudeRalphFileAt(path)?.kind === "agent" ? parseAgent(text) : undefined;
    return data ? [{ path, data }] : [];
  });
}

const newest = ({ queue, progress }: ClaudeRalphPlan) =>
  Math.max(
    ...[queue?.data.created_at, progress?.data.updated_at].map(
      (time) => Date.parse(time ?? "") || 0,
    ),
  );

/** A claim expires after so long without a heartbeat (compatibility 3). */
const leaseMs = 300_000;

/** Whether a claim on the task is valid: its agent has not ended, and claim or last checkpoint are recent. */
export function isHeld(
  { id, status, claimed_by, claimed_at }: ClaudeRalphTask,
  { agents }: Pick<ClaudeRalphPlan, "agents">,
  now: string,
): boolean {
  if (status !== "claimed") return false;
  const own = agents.find(({ data }) => data.agent_id === claimed_by && data.task_id === id)?.data;
  // An ended agent holds nothing, however recent its claim.
  if (own && own.status !== "working" && own.status !== "initializing") return false;
  const last = Math.max(
    Date.parse(claimed_at ?? "") || 0,
    Date.parse(own?.last_checkpoint ?? "") || 0,
  );
  return Date.parse(now) - last <= leaseMs;
}

/** The plans in use. A plan of ralph's has the id of its session, which the states of its agents name. */
export function readClaudeRalphRuns(tree: ForeignTree, now: string): ForeignRun[] {
  return plansIn(tree).flatMap((plan) => {
    const path = plan.queue?.path ?? plan.progress?.path;
    if (path === undefined) return [];
    const shown = { phase: phaseOf(plan), detail: detailOf(plan, now) };
    return [{ id: idOf(plan), path, isActive: isActive(plan, now), ...shown }];
  });
}

/** The id of the ralph session, else of the plan; a plan in which another program has a task is that program's. */
export const idOf = (plan: ClaudeRalphPlan): string =>
  (claimsOfOthers(plan).length > 0 ? undefined : sessionOf(plan)) ?? plan.id;

const tasksOf = ({ queue }: Pick<ClaudeRalphPlan, "queue">) => queue?.data.tasks ?? [];

/** Whether an agent holds a task with a valid lease. */
export const isActive = (plan: ClaudeRalphPlan, now: string): boolean =>
  tasksOf(plan).some((task) => isHeld(task, plan, now));

const phases = { implementation: "executing", verify_fix: "fixing", review: "verifying" } as const;

/** No file records a cancellation: a plan with open tasks keeps its last phase. */
function phaseOf(plan: ClaudeRalphPlan): Phase {
  const statuses = tasksOf(plan).map(({ status }) => status);
  const isOpen = statuses.some((status) => status === "pending" || status === "claimed");
  if (statuses.length > 0 && !isOpen) return statuses.includes("failed") ? "failed" : "complete";
  const word = plan.progress?.data.phase;
  return word === undefined ? "starting" : phases[word];
}

/** A task with an expired lease counts as abandoned. */
function detailOf(plan: ClaudeRalphPlan, now: string): string {
  const tasks = tasksOf(plan);
  const held = tasks.filter((task) => isHeld(task, plan, now));
  const lost = tasks.filter(({ status }) => status === "claimed").length - held.length;
  const count = (status: string) => tasks.filter((task) => task.status === status).length;
  const parts = [
    `${count("done")} of ${tasks.length} tasks done`,
    ...held.map(({ id, claimed_by }) => `${claimed_by} has ${id}`),
    ...(lost > 0 ? [`${lost} abandoned`] : []),
    ...(count("failed") > 0 ? [`${count("failed")} failed`] : []),
  ];
  return parts.slice(0, 6).join(", ");
}

/** The session of ralph that the plan's agents name. */
export const sessionOf = ({ agents }: Pick<ClaudeRalphPlan, "agents">): string | undefined =>
  agents
    .map(({ data }) => sessionIn(data))
    .find((session) => session !== undefined && SessionId.safeParse(session).success);

/** The claims of agents that left no state of a ralph session. */
export function claimsOfOthers({ queue, agents }: ClaudeRalphPlan) {
  const own = new Set(
    agents.flatMap(({ data }) => (sessionIn(data) === undefined ? [] : [data.agent_id])),
  );
  return tasksOf({ queue }).filter(
    ({ status, claimed_by }) => status === "claimed" && !own.has(claimed_by ?? ""),
  );
}
