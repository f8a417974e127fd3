import type { Limits } from "../../src/schema/config/limits.ts";
import type { Access } from "../access/access.ts";
import type { Place } from "../access/place.ts";
import type { JobData } from "../jobs/job.ts";
import { isConfigBroken } from "../repositories/broken-config.ts";
import { readRepository, saveRepository } from "../repositories/repository-note.ts";
import { tickedBoxes } from "../rules/dashboard-boxes.ts";
import { listRuns } from "../runs/dispatched-run.ts";
import { type Commenter, commenterFor } from "../runs/progress-comment.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { changeDashboard, openDashboard, readDashboard } from "./dashboard-issue.ts";
import { type DashboardView, viewDashboard } from "./dashboard-view.ts";
import { renderDashboard } from "./render-dashboard.ts";

/**
 * Writes the dashboard issue as everything stands now: at most one write, none where nothing has changed. A repository
 * in which nothing was ever begun gets none, and one that somebody has closed stays as it is.
 */
export async function refreshDashboard(
  parts: RunParts,
  { place, cleared }: JobData["show"],
): Promise<void> {
  const runs = await listRuns(parts.notes, { repositories: [place.repository] });
  const note = await readRepository(parts.notes, place);
  const hasBegun = runs.some(({ state }) => state !== "refused");
  if (note.is_gone || (note.dashboard === undefined && !hasBegun)) return;
  const speaker = await commenterFor(parts, place);
  const limits = await readLimits(parts.access, place);
  const now = parts.clock.now();
  const view = viewDashboard({ runs, isPaused: note.isPaused, limits, now });
  const number = await bringUpToDate(speaker, { view, number: note.dashboard, cleared });
  if (number !== undefined && number !== note.dashboard) {
    await saveRepository(parts, { ...note, place, dashboard: number });
  }
}

type Shown = { view: DashboardView; number: number | undefined; cleared: readonly string[] };

/** Answers the number of the issue. */
async function bringUpToDate(
  speaker: Commenter,
  { view, number, cleared }: Shown,
): Promise<number | undefined> {
  const known = number === undefined ? undefined : await readDashboard(speaker, number);
  const issue = known ?? (await openDashboard(speaker, renderDashboard(view, new Set())));
  if (!issue || issue.state === "closed") return issue?.number;
  // Somebody may have ticked a box since; that has a job of its own.
  const open = tickedBoxes(issue.body ?? "").filter((mark) => !cleared.includes(mark));
  await changeDashboard(speaker, issue, renderDashboard(view, new Set(open)));
  return issue.number;
}

/** A configuration that is broken or missing is shown as that. */
async function readLimits(access: Access, place: Place): Promise<Limits | undefined> {
  try {
    return (await access.config(place))?.limits;
  } catch (error) {
    if (!isConfigBroken(error)) throw error;
    return undefined;
  }
}
