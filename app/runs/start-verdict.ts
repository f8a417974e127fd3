import type { Config } from "../../src/model/config.ts";
import { counted } from "../../src/run/counted.ts";
import type { Trigger } from "../triggers/authority.ts";
import type { RunNote } from "./run-note.ts";

/** `waiting`: it is tried again by itself when there is room. */
export type StartVerdict = { kind: "start" } | { kind: "waiting" | "refused"; words: string };

export interface StartFacts {
  config: Config;
  /** Runs of the repository that were started on this day (UTC). */
  startedToday: readonly RunNote[];
  /** Pull requests of ours that are open, and runs that will open one. */
  openPulls: number;
  isPaused: boolean;
  /** The pull request of this last run was closed without a merge. */
  isRejected: boolean;
}

/** What starts by itself; a comment is an explicit command, and always obeyed (design 6). */
const silenced: readonly Trigger[] = ["label", "autopilot-label", "report-push", "schedule"];

/** Whether the configuration lets a run begin now (limits of `.ralph/ralph.yml`). Pure. */
export function judgeStart(
  { trigger }: { trigger: Trigger },
  { config, startedToday, openPulls, isPaused, isRejected }: StartFacts,
): StartVerdict {
  const { autopilot, limits } = config;
  if (isPaused) {
    return {
      kind: "waiting",
      words: "Somebody has paused ralph in this repository. It goes on after `/ralph resume`.",
    };
  }
  if (!autopilot.enabled && silenced.includes(trigger)) {
    return {
      kind: "refused",
      words:
        "`autopilot.enabled` is false in `.ralph/ralph.yml`, so labels, reports and schedules start nothing. The comment `/ralph run` does.",
    };
  }
  if (isRejected && silenced.includes(trigger)) {
    return {
      kind: "refused",
      words:
        "The last pull request for this issue was closed without a merge, so labels do not start it again. Say in the issue's text what is to be different, then write `/ralph run`.",
    };
  }
  if (startedToday.length >= limits.runs_per_day) {
    return {
      kind: "waiting",
      words: `${counted(startedToday.length, "run")} started today, and \`limits.runs_per_day\` is ${limits.runs_per_day}. It goes on tomorrow (UTC).`,
    };
  }
  const spent = startedToday.reduce((sum, { cost_usd = 0 }) => sum + cost_usd, 0);
  if (limits.budget_usd_per_day !== null && spent >= limits.budget_usd_per_day) {
    return {
      kind: "waiting",
      words: `$${spent.toFixed(2)} were spent today, and \`limits.budget_usd_per_day\` is ${limits.budget_usd_per_day}. It goes on tomorrow (UTC).`,
    };
  }
  if (openPulls >= limits.open_prs) {
    return {
      kind: "waiting",
      words: `${counted(openPulls, "pull request")} of ralph's ${openPulls === 1 ? "is" : "are"} open or on the way, and \`limits.open_prs\` is ${limits.open_prs}. It goes on when one is merged or closed.`,
    };
  }
  return { kind: "start" };
}
