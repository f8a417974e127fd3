import type { GitHub } from "../../src/github/api/create-github.ts";
import { countOpenPulls } from "../../src/github/pulls/find-marked.ts";
import type { Place } from "../access/place.ts";
import { readValidConfig } from "../repositories/config.ts";
import { readRepository } from "../repositories/repository-note.ts";
import { type DispatchedRun, isOpen, listRuns, wasStarted } from "./dispatched-run.ts";
import type { RunParts, Start } from "./run-parts.ts";
import { holdReason, type StartFacts } from "./start-verdict.ts";

const dayMs = 24 * 60 * 60_000;
type Started = { github: GitHub; run: DispatchedRun; start: Start };

/** The counts that the limits apply to: open pull requests on GitHub, and runs in the notes. */
export async function readStartFacts(
  { access, notes, clock }: RunParts,
  { github, run: { id, place }, start }: Started,
): Promise<Omit<StartFacts, "config" | "isEdited" | "isClosed">> {
  const runs = await listRuns(notes, { place });
  const others = runs.filter((run) => run.id !== id);
  const open = await countOpenPulls(github, await access.self(place));
  const now = clock.now();
  return {
    startedToday: startedToday(others, now),
    spentToday: spentToday(others, now),
    openPulls: open + others.filter(willOpenPull).length,
    isPaused: (await readRepository(notes, place)).isPaused,
    isRejected: isRejected(others, start),
  };
}

/** The runs that started on this day (UTC). Pure. */
export function startedToday(runs: readonly DispatchedRun[], now: number): DispatchedRun[] {
  return runs.filter((run) => isToday(run.started_at, now) && wasStarted(run));
}

/** Whether a moment is on this day (UTC) or later. */
const isToday = (at: number, now: number): boolean => at >= Math.floor(now / dayMs) * dayMs;

/** The cost of all runs on this day (UTC) in US dollars, also of runs that began earlier and continue. Pure. */
export function spentToday(runs: readonly DispatchedRun[], now: number): number {
  return runs.reduce((sum, run) => sum + costToday(run, now), 0);
}

function costToday(
  { cost_usd: cost = 0, day, started_at: at }: DispatchedRun,
  now: number,
): number {
  if (day && isToday(day.began_at, now)) return Math.max(0, cost - day.cost_usd);
  return isToday(at, now) ? cost : 0;
}

/** A run whose next part begins now: only its cost from here on counts for this day. Pure. */
export function countFromToday(run: DispatchedRun, now: number): DispatchedRun {
  const { day, started_at, cost_usd = 0 } = run;
  if (isToday(day?.began_at ?? started_at, now)) return run;
  return { ...run, day: { began_at: now, cost_usd } };
}

/** Why sessions in the repository may not continue now; undefined if they may. */
export async function continuationHoldReason(
  { access, notes, clock }: RunParts,
  place: Place,
): Promise<string | undefined> {
  const { isPaused } = await readRepository(notes, place);
  const runs = await listRuns(notes, { place });
  // A missing or invalid configuration does not stop a session that has begun.
  const config = await readValidConfig(access, place);
  return config && holdReason({ config, isPaused, spentToday: spentToday(runs, clock.now()) });
}

/** An open pull request is counted on GitHub instead. */
const willOpenPull = (run: DispatchedRun) => isOpen(run) && run.state !== "waiting" && !run.pull;

/** Whether the issue's last pull request was rejected. Among several items the autopilot's analysis checks that itself. */
function isRejected(runs: readonly DispatchedRun[], { request }: Start): boolean {
  const { command, item, issue } = request;
  if (issue === undefined || command !== "run") return false;
  const isSame = (run: DispatchedRun) => run.request.item === item && run.request.issue === issue;
  return runs.find((run) => isSame(run) && run.outcome)?.outcome === "rejected";
}
