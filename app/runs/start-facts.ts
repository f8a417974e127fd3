import type { GitHub } from "../../src/github/api/create-github.ts";
import { countOpenPulls } from "../../src/github/pulls/find-marked.ts";
import type { Config } from "../../src/schema/config/config.ts";
import type { Access } from "../access/access.ts";
import type { Place } from "../access/place.ts";
import { isConfigBroken } from "../repositories/broken-config.ts";
import { readRepository } from "../repositories/repository-note.ts";
import { type DispatchedRun, isOpen, listRuns, wasStarted } from "./dispatched-run.ts";
import type { RunParts, Start } from "./run-parts.ts";
import { holdReason, type StartFacts } from "./start-verdict.ts";

const dayMs = 24 * 60 * 60_000;
type Asked = { github: GitHub; place: Place; id: string; start: Start };

/** What the limits are held against: pull requests as GitHub tells them now, runs as the notes do. */
export async function readStartFacts(
  { access, notes, clock }: RunParts,
  { github, place, id, start }: Asked,
): Promise<Omit<StartFacts, "config" | "isEdited" | "isClosed">> {
  const runs = await listRuns(notes, { repositories: [place.repository] });
  const others = runs.filter((run) => run.id !== id);
  const open = await countOpenPulls(github, await access.self(place));
  const now = clock.now();
  return {
    startedToday: startedToday(others, now),
    spentToday: spentToday(others, now),
    openPulls: open + others.filter(isUnderWay).length,
    isPaused: (await readRepository(notes, place)).isPaused,
    isRejected: isRejected(others, start),
  };
}

/** The runs that were started on this day (UTC). Pure. */
export function startedToday(runs: readonly DispatchedRun[], now: number): DispatchedRun[] {
  return runs.filter((run) => isToday(run.started_at, now) && wasStarted(run));
}

/** Whether a moment is of this day (UTC), or later. */
const isToday = (at: number, now: number): boolean => at >= Math.floor(now / dayMs) * dayMs;

/** What runs have cost on this day (UTC), also those that began before and go on. Pure. */
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

/** The same run with its next part, which costs what it costs on this day. Pure. */
export function countFromToday(run: DispatchedRun, now: number): DispatchedRun {
  const { day, started_at, cost_usd = 0 } = run;
  if (isToday(day?.began_at ?? started_at, now)) return run;
  return { ...run, day: { began_at: now, cost_usd } };
}

/** Why a session that was begun may not go on now; undefined: it may. */
export async function continuationHoldReason(
  { access, notes, clock }: RunParts,
  place: Place,
): Promise<string | undefined> {
  const { isPaused } = await readRepository(notes, place);
  const runs = await listRuns(notes, { repositories: [place.repository] });
  const config = await readConfig(access, place);
  return config && holdReason({ config, isPaused, spentToday: spentToday(runs, clock.now()) });
}

/** What is broken, or gone, limits nothing that has begun. */
async function readConfig(access: Access, place: Place): Promise<Config | undefined> {
  try {
    return await access.config(place);
  } catch (error) {
    if (!isConfigBroken(error)) throw error;
    return undefined;
  }
}

/** It will open a pull request; one that has is counted as that. */
const isUnderWay = (run: DispatchedRun) => isOpen(run) && run.state !== "waiting" && !run.pull;

/** What came of an issue when it was last worked on, newest first. What was chosen among several, its analysis knows. */
function isRejected(runs: readonly DispatchedRun[], { request }: Start): boolean {
  const { command, item, issue } = request;
  if (issue === undefined || command !== "run") return false;
  const isSame = (run: DispatchedRun) => run.request.item === item && run.request.issue === issue;
  return runs.find((run) => isSame(run) && run.outcome)?.outcome === "rejected";
}
