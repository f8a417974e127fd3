import type { Checked } from "../../schema/base/check-shape.ts";
import type { ForeignTree } from "../dialect.ts";
import { parseText } from "../json-text.ts";
import { claudeRalphFileAt } from "./paths.ts";
import type {
  ClaudeRalphAgent,
  ClaudeRalphProgress,
  ClaudeRalphQueue,
  ClaudeRalphRetries,
  ClaudeRalphTask,
} from "./schema/index.ts";
import { checkAgent, checkProgress, checkQueue, checkRetries } from "./schema/rules.ts";

/** The data of a file; undefined for a missing or invalid one. */
const parsedBy =
  <Data>(check: (value: unknown) => Checked<Data>) =>
  (text: string | undefined): Data | undefined =>
    text === undefined ? undefined : check(parseText(text)).data;

export const parseQueue = parsedBy<ClaudeRalphQueue>(checkQueue);
export const parseRetries = parsedBy<ClaudeRalphRetries>(checkRetries);
export const parseProgress = parsedBy<ClaudeRalphProgress>(checkProgress);
export const parseAgent = parsedBy<ClaudeRalphAgent>(checkAgent);

export type FoundFile<Data> = { path: string; data: Data };

/** The valid files of a plan. */
export interface ClaudeRalphPlan {
  id: string;
  queue: FoundFile<ClaudeRalphQueue> | undefined;
  retries: FoundFile<ClaudeRalphRetries> | undefined;
  progress: FoundFile<ClaudeRalphProgress> | undefined;
  agents: readonly FoundFile<ClaudeRalphAgent>[];
}

const parsers = { queue: parseQueue, retries: parseRetries, progress: parseProgress };

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
