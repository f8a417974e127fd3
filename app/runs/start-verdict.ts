import type { Config } from "../../src/schema/config/config.ts";
import type { WorkRequest } from "../../src/schema/work-request.ts";
import { counted } from "../../src/text/figures.ts";
import type { DispatchedRun } from "./dispatched-run.ts";

/** `waiting`: it is tried again by itself when there is room. */
export type StartVerdict = { kind: "start" } | { kind: "waiting" | "refused"; words: string };

export interface StartFacts {
  config: Config;
  /** Runs of the repository that were started on this day (UTC). */
  startedToday: readonly DispatchedRun[];
  /** What all runs have cost on this day, US dollars. */
  spentToday: number;
  /** Pull requests of ours that are open, and runs that will open one. */
  openPulls: number;
  isPaused: boolean;
  /** The pull request of this last run was closed without a merge. */
  isRejected: boolean;
  /** The issue does not say any more what it said when it was asked for. */
  isEdited: boolean;
  /** The issue is closed by now. */
  isClosed: boolean;
}

type Held = Pick<StartFacts, "config" | "isPaused" | "spentToday">;

/** Why even what has begun does not go on now; undefined: it does. Pure. */
export function holdReason({ config, isPaused, spentToday }: Held): string | undefined {
  if (isPaused) {
    return "Somebody has paused ralph in this repository. It goes on after `/ralph resume`.";
  }
  const { budget_usd_per_day: budget } = config.limits;
  if (budget === null || spentToday < budget) return undefined;
  return `$${spentToday.toFixed(2)} were spent today, and \`limits.budget_usd_per_day\` is ${budget}. It goes on tomorrow (UTC).`;
}

/** Whether the configuration lets a run begin now (limits of `.ralph/ralph.yml`). Pure. */
export function judgeStart(
  { overridesRejection }: Pick<WorkRequest, "overridesRejection">,
  facts: StartFacts,
): StartVerdict {
  if (facts.isEdited) return { kind: "refused", words: edited };
  const held = holdReason(facts);
  if (held !== undefined && facts.isPaused) return { kind: "waiting", words: held };
  const refused = overridesRejection ? undefined : whyNotByItself(facts);
  if (refused !== undefined) return { kind: "refused", words: refused };
  const full = whyNoRoom(facts, held);
  return full === undefined ? { kind: "start" } : { kind: "waiting", words: full };
}

/** Why what nobody has commanded does not start at all. */
function whyNotByItself({ config, isRejected, isClosed }: StartFacts): string | undefined {
  if (isClosed) return closed;
  if (!config.autopilot.enabled) {
    return "`autopilot.enabled` is false in `.ralph/ralph.yml`, so labels, reports and schedules start nothing. The comment `/ralph run` does.";
  }
  if (!isRejected) return undefined;
  return "The last pull request for this issue was closed without a merge, so labels do not start it again. Say in the issue's text what is to be different, then write `/ralph run`.";
}

/** The limits of the day and of open pull requests; `held`: what also holds work that goes on. */
function whyNoRoom(
  { config: { limits }, startedToday, openPulls }: StartFacts,
  held: string | undefined,
): string | undefined {
  if (startedToday.length >= limits.runs_per_day) {
    return `${counted(startedToday.length, "run")} started today, and \`limits.runs_per_day\` is ${limits.runs_per_day}. It goes on tomorrow (UTC).`;
  }
  if (held !== undefined || openPulls < limits.open_prs) return held;
  return `${counted(openPulls, "pull request")} of ralph's ${openPulls === 1 ? "is" : "are"} open or on the way, and \`limits.open_prs\` is ${limits.open_prs}. It goes on when one is merged or closed.`;
}

const edited =
  "The issue was edited after it was asked for, so nothing was started. Read it again; if it is what you want, give the label or write the command once more.";

const closed =
  "The issue was closed before anything began, so nothing was started. Whoever wants it done after all writes `/ralph run`.";
