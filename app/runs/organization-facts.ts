import type { Place } from "../access/place.ts";
import { listRepositories, ownerOf, readRepository } from "../repositories/repository-note.ts";
import { isOnList } from "../rules/authority.ts";
import { type DayTotals, dayMs, totalsOfDay } from "./day-totals.ts";
import { DispatchedRun } from "./dispatched-run.ts";
import type { RunParts } from "./run-parts.ts";

/** The settings of a repository's owner, and how much of the limits all of their repositories have used. */
export interface OrganizationFacts {
  /** Its settings repository, `octo/.github`. */
  name: string;
  isPaused: boolean;
  /** The repository may use ralph. */
  isListed: boolean;
  limits: { runs_per_day?: number | undefined; budget_usd_per_day?: number | undefined };
  today: DayTotals;
}

/** Undefined for an owner without settings. */
export async function readOrganizationFacts(
  parts: Pick<RunParts, "access" | "notes" | "clock">,
  place: Place,
): Promise<OrganizationFacts | undefined> {
  const found = await parts.access.organization(place);
  if (!found) return undefined;
  const { limits, paused, repositories } = found.settings;
  const isLimited = Object.keys(limits).length > 0;
  return {
    name: found.place.repository,
    isPaused: paused || (await readRepository(parts.notes, found.place)).isPaused,
    isListed: isOnList(repositories, place.repository),
    limits,
    today: isLimited ? await readToday(parts, place) : { runs: 0, usd: 0 },
  };
}

/** A session that continues may have begun days before. */
const backMs = 14 * dayMs;
const maxRuns = 10_000;

/** Runs and cost of all repositories of an owner since midnight (UTC). */
async function readToday(
  { notes, clock }: Pick<RunParts, "notes" | "clock">,
  place: Place,
): Promise<DayTotals> {
  const all = await listRepositories(notes, { withGone: true });
  const own = all.filter((each) => ownerOf(each.place) === ownerOf(place));
  const repositories = own.map((each) => String(each.place.id));
  const since = clock.now() - backMs;
  const found = await notes.list({ kind: "run", repositories, since, limit: maxRuns });
  const runs = found.flatMap(({ data }) => DispatchedRun.safeParse(data).data ?? []);
  return totalsOfDay(runs, clock.now());
}
