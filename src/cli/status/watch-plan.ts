import type { SessionStore } from "../../journal/session-store.ts";
import type { CommandContext } from "../core/command.ts";
import { readLastPlan, type SeenPlan } from "./read-plan.ts";

/** How often a look is taken, ms; and how often a run may be without a process before it counts as stopped. */
const lookMs = 500;
const patience = 4;

type Watched = { store: SessionStore; plan: SeenPlan; show: (plan: SeenPlan) => void };

/** Shows a run again whenever it went on, until it stops (`shown`) or its session begins (`over`). */
export async function watchPlan(
  { system: { clock }, signal }: CommandContext,
  { store, plan, show }: Watched,
): Promise<"shown" | "over"> {
  let current = plan;
  show(current);
  for (let idle = isGoingOn(plan) ? 0 : patience; idle < patience; ) {
    await clock.sleep(lookMs, signal);
    if (signal.aborted) return "shown";
    const next = await readLastPlan(store);
    if (!next) return "over";
    idle = next.owner ? 0 : idle + 1;
    if (next.run.kept_at !== current.run.kept_at || idle === patience) show(next);
    current = next;
  }
  return "shown";
}

/** Between planning and session nobody holds the lock for a moment. */
const isGoingOn = ({ owner, run: { list_commit, record } }: SeenPlan) =>
  owner !== undefined || (list_commit?.commit !== undefined && !record?.completed_at);
