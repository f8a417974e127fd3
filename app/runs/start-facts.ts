import type { GitHub } from "../../src/github/create-github.ts";
import { listOwnPulls } from "../../src/github/find-marked.ts";
import type { Place } from "../access.ts";
import { readRepository } from "./repository-note.ts";
import { isOpen, listRuns, type RunNote, wasStarted } from "./run-note.ts";
import type { RunParts, Start } from "./start-run.ts";
import type { StartFacts } from "./start-verdict.ts";

const dayMs = 24 * 60 * 60_000;
type Asked = { github: GitHub; place: Place; id: string; start: Start };

/** What the limits are held against: pull requests as GitHub tells them now, runs as the notes do. */
export async function readStartFacts(
  { access, notes, clock }: RunParts,
  { github, place, id, start }: Asked,
): Promise<Omit<StartFacts, "config">> {
  const runs = await listRuns(notes, { repositories: [place.repository] });
  const others = runs.filter((run) => run.id !== id);
  const pulls = await listOwnPulls(github, await access.self(place));
  const open = pulls.filter(({ state }) => state === "open").length;
  return {
    startedToday: startedToday(others, clock.now()),
    openPulls: open + others.filter(isUnderWay).length,
    isPaused: (await readRepository(notes, place)).isPaused,
    isRejected: isRejected(others, start),
  };
}

/** The runs that were started on this day (UTC). Pure. */
export function startedToday(runs: readonly RunNote[], now: number): RunNote[] {
  const dayStart = Math.floor(now / dayMs) * dayMs;
  return runs.filter((run) => run.started_at >= dayStart && wasStarted(run));
}

/** It will open a pull request; one that has is counted as that. */
const isUnderWay = (run: RunNote) => isOpen(run) && run.state !== "waiting" && !run.pull;

/** What came of an issue when it was last worked on, newest first. Which item of a report it was, its analysis knows. */
function isRejected(runs: readonly RunNote[], { item, issue }: Start): boolean {
  if (issue === undefined) return false;
  const isSame = (run: RunNote) => run.item === item && run.issue === issue;
  return runs.find((run) => isSame(run) && run.outcome)?.outcome === "rejected";
}
