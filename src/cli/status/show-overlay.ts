import type { ForeignRuns } from "../../entry/foreign-runs.ts";
import { RalphError, renderProblem } from "../../error.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import { type ActiveMode, renderOverlay, sessionMode } from "../../views/terminal/overlay.ts";
import type { CommandContext } from "../core/command.ts";
import { readSession } from "../core/read-session.ts";
import { readLastPlan } from "./plan-status.ts";

/** `ralph status --overlay`: prints the active runs, ralph's first, for a text that agents read. */
export async function showOverlay(
  { output }: CommandContext,
  { store, others }: { store: SessionStore; others: ForeignRuns },
): Promise<number> {
  const modes = [...(await ownModes(store)), ...otherModes(others)];
  for (const problem of others.problems) output.problem(`Warning: ${renderProblem(problem)}`);
  return output.answer({ modes }, renderOverlay(modes));
}

/** The overlay is a text to copy; other views do not combine with it. */
export function refuseWithOverlay(options: {
  watch?: boolean;
  line?: boolean;
  timeline?: boolean;
  session?: string;
}): void {
  const other = (["watch", "line", "timeline", "session"] as const).find((name) => options[name]);
  if (other === undefined) return;
  throw new RalphError("config", {
    message: `--overlay and --${other} exclude each other.`,
    remedy: "Run `ralph status --overlay` without other options.",
  });
}

async function ownModes(store: SessionStore): Promise<ActiveMode[]> {
  const plan = await readLastPlan(store);
  if (plan?.owner) {
    const { run_id, record } = plan.run;
    return [{ name: `ralph autopilot ${run_id}`, phase: record?.phase ?? "pending", detail: "" }];
  }
  const seen = await readSession(store);
  return seen?.owner && !seen.state.end ? [sessionMode(seen.state)] : [];
}

const otherModes = ({ runs }: ForeignRuns): ActiveMode[] =>
  runs
    .filter(({ run }) => run.isActive)
    .map(({ dialect, run: { id, phase, detail } }) => ({
      name: id === undefined ? dialect.name : `${dialect.name} ${id}`,
      phase,
      detail,
    }));
