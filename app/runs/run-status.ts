import type { DispatchedRun } from "./dispatched-run.ts";
import type { Ending, EndingKind } from "./ending.ts";

/** The colour of a status. */
type StatusTone = "ok" | "bad" | "warn" | "quiet";

/** The status of a run, the same in every view. */
export interface RunStatus {
  /** `queued`, `starting`, `working`, `publishing`, or the kind of its ending. */
  kind: Exclude<DispatchedRun["state"], "done" | "refused" | "waiting"> | EndingKind;
  /** In words, such as "Failed in ralph / Work"; plain text. */
  headline: string;
  mark: string;
  tone: StatusTone;
  /** The next step for a person; Markdown code, undefined when nothing is left to do. */
  next: string | undefined;
}

type Label = Omit<RunStatus, "kind">;
const label = (
  tone: StatusTone,
  mark: string,
  [headline, next]: readonly [string, string?],
): Label => ({
  ...{ tone, mark, headline, next },
});

const retry = "`/ralph retry` continues it.";

const endings: Record<EndingKind, Label> = {
  merged: label("ok", "✓", ["Merged"]),
  open: label("ok", "✓", ["Ready for review", "Review the pull request, then merge or close it."]),
  closed: label("bad", "✗", [
    "Closed without a merge",
    "Describe in the issue what should be different, then write `/ralph run`.",
  ]),
  "nothing-to-do": label("quiet", "–", [
    "Nothing to do",
    "If something is missing, describe it in the issue, then write `/ralph run`.",
  ]),
  "partly-done": label("warn", "!", [
    "Partly done",
    "`/ralph retry` continues with the tasks that are left.",
  ]),
  failed: label("bad", "✗", [
    "Failed",
    "The log of the workflow run shows the failure; `/ralph retry` tries again.",
  ]),
  cancelled: label("warn", "■", ["Cancelled", retry]),
  "timed-out": label("warn", "!", ["Timed out", retry]),
  "budget-used": label("warn", "!", [
    "Budget used up",
    "`/ralph budget 10` sets a higher budget in US dollars, then `/ralph retry` continues.",
  ]),
  waiting: label("warn", "○", ["Waiting", "It starts by itself; `/ralph cancel` removes it."]),
  refused: label("bad", "✗", ["Not started"]),
  lost: label("bad", "✗", ["Lost", "`/ralph run` starts over."]),
  "taken-over": label("warn", "!", [
    "Taken over by a person",
    "To start over, close the pull request and write `/ralph run`.",
  ]),
};

const stop = "`/ralph cancel` stops it; the tasks that have passed are kept.";

const phases: Record<"claimed" | "started" | "working" | "publishing", Label> = {
  claimed: label("quiet", "○", ["Queued", stop]),
  started: label("quiet", "○", ["Started, waiting for a runner", stop]),
  working: label("warn", "…", ["Working", stop]),
  publishing: label("warn", "…", [
    "Finished, being published",
    "`/ralph cancel` keeps it from continuing afterwards.",
  ]),
};

/** The status of a run. Pure. */
export function statusOf(run: DispatchedRun): RunStatus {
  const ending = endingOf(run);
  if (ending) return { kind: ending.kind, ...endings[ending.kind], headline: headlineOf(ending) };
  const { state } = run;
  const { cancelled_by: by } = run;
  const phase = state === "done" || state === "refused" || state === "waiting" ? "claimed" : state;
  if (by === undefined) return { kind: phase, ...phases[phase] };
  const headline = `Being cancelled, as ${by} asked`;
  return { kind: phase, ...phases[phase], headline, next: undefined };
}

/** How a run ended; undefined while it is under way. Runs of the version before have no ending of their own. Pure. */
export function endingOf(run: DispatchedRun): Ending | undefined {
  const { state, outcome, ending } = run;
  if (outcome) return { kind: outcome === "rejected" ? "closed" : outcome };
  if (state === "waiting") return { kind: "waiting" };
  if (state !== "done" && state !== "refused") return undefined;
  return ending ?? earlierEnding(run);
}

function earlierEnding({ state, pull, tasks }: DispatchedRun): Ending {
  if (state === "refused") return { kind: "refused" };
  if (!pull) return { kind: "failed", in: "an earlier version of the App, which kept no reason" };
  return { kind: tasks && tasks.passed < tasks.total ? "partly-done" : "open" };
}

function headlineOf({ kind, in: place, by }: Ending): string {
  const { headline } = endings[kind];
  if (kind === "failed" && place !== undefined) return `${headline} in ${place}`;
  return kind === "cancelled" && by !== undefined ? `${headline} by ${by}` : headline;
}

/** Values of a stored run's status in the database by the kind of its ending; the App writes the first one. */
export const storedStatuses: Readonly<Record<EndingKind, readonly string[]>> = {
  merged: ["merged"],
  open: ["open", "pull"],
  closed: ["rejected"],
  "nothing-to-do": ["nothing-to-do"],
  "partly-done": ["partly-done"],
  failed: ["failed", "done"],
  cancelled: ["cancelled"],
  "timed-out": ["timed-out"],
  "budget-used": ["budget-used"],
  waiting: ["waiting"],
  refused: ["refused"],
  lost: ["lost"],
  "taken-over": ["taken-over"],
};
