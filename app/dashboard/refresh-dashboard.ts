import type { JobData } from "../jobs/job.ts";
import type { NewJob } from "../jobs/new-job.ts";
import { readConfigState } from "../repositories/config.ts";
import { readRepository, saveRepository } from "../repositories/repository-note.ts";
import { tickedBoxes } from "../rules/dashboard-boxes.ts";
import { listRuns } from "../runs/dispatched-run.ts";
import { type Commenter, commenterFor } from "../runs/progress-comment.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { changeDashboard, openDashboard, readDashboard } from "./dashboard-issue.ts";
import { beginUpdate, countWrite } from "./dashboard-pace.ts";
import { type DashboardView, viewDashboard } from "./dashboard-view.ts";
import { renderDashboard } from "./render-dashboard.ts";

/**
 * Updates the dashboard issue with at most one write, and none if nothing has changed. A repository without any run gets
 * no dashboard, and a closed dashboard stays as it is.
 */
export async function refreshDashboard(
  parts: RunParts,
  { place, cleared }: JobData["show"],
): Promise<NewJob[]> {
  const later = await beginUpdate(parts, { place, isUrgent: cleared.length > 0 });
  if (later) return [later];
  const runs = await listRuns(parts.notes, { place });
  const note = await readRepository(parts.notes, place);
  const hasRuns = runs.some(({ state }) => state !== "refused");
  if (note.is_gone || (note.dashboard === undefined && !hasRuns)) return [];
  const commenter = await commenterFor(parts, place);
  const config = await readConfigState(parts.access, place);
  const now = parts.clock.now();
  const view = viewDashboard({ runs, isPaused: note.isPaused, config, now });
  const shown = { view, number: note.dashboard, cleared };
  const { number, isWritten } = await updateIssue(commenter, shown);
  if (isWritten && cleared.length === 0) await countWrite(parts, place);
  if (number !== undefined && number !== note.dashboard) {
    await saveRepository(parts, { ...note, place, dashboard: number });
  }
  return [];
}

type Shown = { view: DashboardView; number: number | undefined; cleared: readonly string[] };

type Updated = { number: number | undefined; isWritten: boolean };

async function updateIssue(
  commenter: Commenter,
  { view, number, cleared }: Shown,
): Promise<Updated> {
  const known = number === undefined ? undefined : await readDashboard(commenter, number);
  const issue = known ?? (await openDashboard(commenter, renderDashboard(view, new Set())));
  if (!issue || issue.state === "closed") return { number: issue?.number, isWritten: false };
  // A box that was ticked since has a job of its own.
  const open = tickedBoxes(issue.body ?? "").filter((mark) => !cleared.includes(mark));
  const isWritten = await changeDashboard(commenter, issue, renderDashboard(view, new Set(open)));
  return { number: issue.number, isWritten: isWritten || known === undefined };
}
