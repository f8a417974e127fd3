import { countOpenPulls } from "../../src/github/pulls/pull.ts";
import type { Place } from "../access/place.ts";
import { readValidConfig } from "../repositories/config.ts";
import { readRepository } from "../repositories/repository-note.ts";
import { spentToday, startedToday } from "./day-totals.ts";
import { type DispatchedRun, isOpen, listRuns } from "./dispatched-run.ts";
import { readOrganizationFacts } from "./organization-facts.ts";
import type { RunParts, Site, Start } from "./run-parts.ts";
import { holdReason, ownerHoldReason, type StartFacts } from "./start-verdict.ts";

/** The counts that the limits apply to: open pull requests on GitHub, and runs in the notes. */
export async function readStartFacts(
  { access, notes, clock, github, self, place }: Site,
  { id }: DispatchedRun,
  start: Start,
): Promise<Omit<StartFacts, "config" | "isEdited" | "isClosed">> {
  const runs = await listRuns(notes, { place });
  const others = runs.filter((run) => run.id !== id);
  const open = await countOpenPulls(github, self);
  const now = clock.now();
  return {
    startedToday: startedToday(others, now),
    spentToday: spentToday(others, now),
    openPulls: open + others.filter(willOpenPull).length,
    isPaused: (await readRepository(notes, place)).isPaused,
    organization: await readOrganizationFacts({ access, notes, clock }, place),
    isRejected: isRejected(others, start),
  };
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
  const organization = await readOrganizationFacts({ access, notes, clock }, place);
  const held = organization && ownerHoldReason(organization);
  const spent = spentToday(runs, clock.now());
  return held ?? (config && holdReason({ config, isPaused, spentToday: spent }));
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
