import * as z from "zod";
import { plainText } from "../../src/text/plain-text.ts";
import { type Html, html } from "../../src/views/html/html.ts";
import { isolate, withCode } from "../../src/views/html/labels.ts";
import type { DispatchedRun } from "../runs/dispatched-run.ts";
import type { Note } from "../store/notes.ts";
import type { PageAnswer } from "../webhooks/route.ts";
import { renderAppPage } from "./frame/frame.ts";
import { renderAgo } from "./run-labels.ts";
import type { PageParts, Visit } from "./visit.ts";

const maxListed = 200;

/** `/audit`: who started, paused, cancelled or requeued what, newest first. */
export async function auditPage(
  { notes, clock }: PageParts,
  { session, repositories }: Visit,
): Promise<PageAnswer> {
  const found = await notes.list({
    ...{ kind: "audit", repositories: [...repositories.keys()].map(String), limit: maxListed },
  });
  const now = clock.now();
  const items = found.flatMap(({ at, repository, ...note }) => {
    const entry = readAuditEntry(note);
    const place = repositories.get(Number(repository))?.place;
    if (!entry || !place) return [];
    const link = entry.run && html` · <a href="/runs/${entry.run}">run</a>`;
    return [
      html`<li><p class="quiet">${isolate(place.repository, 210)}${link}</p>${renderAuditEntry(entry, { at, now })}</li>`,
    ];
  });
  const main = html`
    <h1>Audit trail</h1>
    <p class="quiet">The last ${maxListed} events of the repositories that you can read; they are kept for 180 days.</p>
    ${items.length > 0 ? html`<ol class="list">${items}</ol>` : html`<p>Nothing has happened yet.</p>`}`;
  return renderAppPage({ title: "Audit trail", main, session, here: "/audit" });
}

/** An entry of the audit trail. */
const Entry = z.object({
  event: z.string(),
  run: z.string().optional(),
  actor: z.string().optional(),
  headline: z.string().optional(),
  reason: z.string().optional(),
  name: z.string().optional(),
});
export type Entry = z.output<typeof Entry>;

/** More than a run and its neighbours have. */
const maxEntries = 500;

/** Undefined for an entry of another version. */
export const readAuditEntry = ({ data }: Pick<Note, "data">): Entry | undefined =>
  Entry.safeParse(data).data;

/** The events of a run, newest last; undefined when nothing is recorded. */
export async function renderTimeline(
  { notes, clock }: Pick<PageParts, "notes" | "clock">,
  run: DispatchedRun,
): Promise<Html | undefined> {
  const repositories = [String(run.place.id)];
  const found = await notes.list({
    ...{ kind: "audit", repositories, since: run.started_at - 60_000, limit: maxEntries },
  });
  const items = found.toReversed().flatMap(({ at, ...note }) => {
    const entry = readAuditEntry(note);
    return entry?.run === run.id
      ? [html`<li>${renderAuditEntry(entry, { at, now: clock.now() })}</li>`]
      : [];
  });
  return items.length === 0
    ? undefined
    : html`<section aria-labelledby="timeline"><h2 id="timeline">Timeline</h2><ol class="list">${items}</ol></section>`;
}

const labels: Readonly<Record<string, string>> = {
  ...{ "run-started": "Started", "run-waiting": "Waits", "run-refused": "Not started" },
  ...{ "run-ended": "Ended", "cancel-requested": "Cancel requested", paused: "Paused" },
  ...{ resumed: "Resumed", requeued: "Job requeued", "repository-moved": "Repository moved" },
  "repository-gone": "Repository out of reach",
};

const maxReason = 600;

/** One line: what happened, who asked for it, why, and when. */
export function renderAuditEntry(
  { event, actor, headline, reason }: Entry,
  { at, now }: { at: number; now: number },
): Html {
  const isEnd = event === "run-ended" && headline !== undefined;
  return html`
    <p class="line"><strong>${isEnd ? isolate(headline, 200) : (labels[event] ?? isolate(event, 40))}</strong>
    ${actor && !isEnd && html`<span class="quiet">by ${isolate(actor, 100)}</span>`}<span class="quiet">${renderAgo(at, now)}</span></p>
    ${reason && html`<p class="quiet">${withCode(plainText(reason.slice(0, maxReason)))}</p>`}`;
}
