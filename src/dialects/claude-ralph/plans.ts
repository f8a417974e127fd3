import type { ForeignTree } from "../dialect.ts";
import { parseAgent, parseProgress, parseQueue, parseRetries } from "./parse-file.ts";
import { fileAt } from "./paths.ts";
import type {
  ClaudeRalphAgent,
  ClaudeRalphProgress,
  ClaudeRalphQueue,
  ClaudeRalphRetries,
  ClaudeRalphTask,
} from "./schema/index.ts";

export type Found<Data> = { path: string; data: Data };

/** What is there of a plan; files that cannot be used are left out. */
export interface Plan {
  id: string;
  queue: Found<ClaudeRalphQueue> | undefined;
  retries: Found<ClaudeRalphRetries> | undefined;
  progress: Found<ClaudeRalphProgress> | undefined;
  agents: readonly Found<ClaudeRalphAgent>[];
}

const parsers = { queue: parseQueue, retries: parseRetries, progress: parseProgress };

/** The plans in use, the newest first; those in the archive are over. */
export function plansIn(tree: ForeignTree): Plan[] {
  const plans = new Map<string, Plan>();
  const agents = [...tree].flatMap(([path, text]) => {
    const data = fileAt(path)?.kind === "agent" ? parseAgent(text) : undefined;
    return data ? [{ path, data }] : [];
  });
  for (const [path, text] of tree) {
    const file = fileAt(path);
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

const newest = ({ queue, progress }: Plan) =>
  Math.max(
    ...[queue?.data.created_at, progress?.data.updated_at].map(
      (time) => Date.parse(time ?? "") || 0,
    ),
  );

/** After so long without a sign of life a claim is nobody's any more (compatibility 3). */
const leaseMs = 300_000;

/** Whether whoever has claimed the task may still be at it: its claim or its last checkpoint is young enough. */
export function isHeld(
  { id, status, claimed_by, claimed_at }: ClaudeRalphTask,
  { agents }: Pick<Plan, "agents">,
  now: string,
): boolean {
  if (status !== "claimed") return false;
  const own = agents.find(({ data }) => data.agent_id === claimed_by && data.task_id === id)?.data;
  // An agent that says it has ended does not work, however young its claim.
  if (own && own.status !== "working" && own.status !== "initializing") return false;
  const last = Math.max(
    Date.parse(claimed_at ?? "") || 0,
    Date.parse(own?.last_checkpoint ?? "") || 0,
  );
  return Date.parse(now) - last <= leaseMs;
}
