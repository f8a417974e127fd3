import { type Html, html } from "../../src/views/html/html.ts";
import { jobId } from "../jobs/new-job.ts";
import { ownerOf, resumedJobs, setPaused } from "../repositories/repository-note.ts";
import type { OrganizationFacts } from "../runs/organization-facts.ts";
import { hidden } from "./frame/frame.ts";
import type { Readable } from "./list-readable.ts";
import { actOnForm, type Visit } from "./visit.ts";

/** The owner's `.github` repository among those a person can read; its pause counts for all of them. */
function settingsOf({ repositories }: Visit, owner: string): Readable | undefined {
  const name = `${owner}/.github`.toLowerCase();
  return [...repositories.values()].find(({ place }) => place.repository.toLowerCase() === name);
}

/** A button to pause or resume all repositories, for people who may write to the settings. */
export function renderPause(
  visit: Visit,
  { owner, facts: { isPaused } }: { owner: string; facts: Pick<OrganizationFacts, "isPaused"> },
): Html | undefined {
  if (!settingsOf(visit, owner)?.mayWrite) return undefined;
  const [act, label] = isPaused
    ? ["resume", "Resume all repositories"]
    : ["pause", "Pause all repositories"];
  const path = `/owners/${encodeURIComponent(owner)}/${act}`;
  return html`
    <form method="post" action="${path}">${hidden("token", visit.session.formToken)}<button>${label}</button></form>`;
}

/** `POST /owners/<login>/pause` and `/resume`, for people who may write to the owner's `.github` repository now. */
export const pauseOwner = (isPaused: boolean) =>
  actOnForm({
    find: async (_, visit) => settingsOf(visit, visit.asked.parts[0] ?? ""),
    act: async (parts, { place }, actor) => {
      await setPaused(parts, { place, isPaused, by: actor.login });
      if (!isPaused) {
        const occasion = jobId("resumed", place.id, parts.clock.now());
        await parts.queue.add(await resumedJobs(parts.notes, place, occasion));
      }
      return `/owners/${encodeURIComponent(ownerOf(place))}`;
    },
  });
