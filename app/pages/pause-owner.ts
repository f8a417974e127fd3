import { type Html, html } from "../../src/views/html/html.ts";
import { jobId } from "../jobs/job-id.ts";
import { setPaused } from "../repositories/repository-note.ts";
import { resumedJobs } from "../repositories/resumed-jobs.ts";
import { judgeActor } from "../runs/judge-actor.ts";
import type { OrganizationFacts } from "../runs/organization-facts.ts";
import type { PageAnswer } from "../webhooks/route.ts";
import { hidden, notFoundPage, redirect, renderNotice } from "./frame/frame.ts";
import type { Readable } from "./list-readable.ts";
import { isFromPage } from "./login/login-sessions.ts";
import type { PageParts, Visit } from "./visit.ts";

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
export const pauseOwner =
  (isPaused: boolean) =>
  async (parts: PageParts, visit: Visit): Promise<PageAnswer> => {
    const { session, asked } = visit;
    const form = await parts.readForm(asked.request);
    const refuse = (message: string) =>
      renderNotice({ status: 403, title: "Nothing was changed", message, session });
    if (!isFromPage(session, form.get("token"))) {
      return refuse("This form did not come from your session. Reload the page and try again.");
    }
    const owner = asked.parts[0] ?? "";
    const settings = settingsOf(visit, owner);
    if (!settings) return notFoundPage(session);
    const { place } = settings;
    const actor = session.person;
    const verdict = await judgeActor(parts, place, { actor, trigger: "dashboard" });
    if (verdict.kind === "denied") return refuse(`Nothing was changed: ${verdict.because}.`);
    await setPaused(parts, { place, isPaused, by: actor.login });
    if (!isPaused) {
      const occasion = jobId("resumed", place.id, parts.clock.now());
      await parts.queue.add(await resumedJobs(parts.notes, place, occasion));
    }
    return redirect(`/owners/${encodeURIComponent(owner)}`);
  };
