import type { JobData } from "../jobs/job.ts";
import { refreshRepository } from "../repositories/refresh-repository.ts";
import { isOpen, listRuns, saveRun } from "../runs/dispatched-run.ts";
import type { RunParts } from "../runs/run-parts.ts";

/** Ends the open runs of a deleted repository in the notes; there is nothing left to comment on or to cancel. */
export async function endLostRuns(parts: RunParts, { place }: JobData["deleted"]): Promise<void> {
  if (await refreshRepository(parts, place)) return;
  for (const run of await listRuns(parts.notes, { place })) {
    if (!isOpen(run)) continue;
    const { claim: _, ...rest } = run;
    await saveRun(parts.notes, {
      ...{ ...rest, state: "done", ending: { kind: "lost" } },
      ...{ words: "The repository was deleted, and the run with it." },
      changed_at: parts.clock.now(),
    });
  }
}
