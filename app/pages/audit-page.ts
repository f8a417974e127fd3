import { html } from "../../src/views/html/html.ts";
import { isolate } from "../../src/views/html/labels.ts";
import type { PageAnswer } from "../webhooks/route.ts";
import { renderAppPage } from "./frame/frame.ts";
import { readAuditEntry, renderAuditEntry } from "./run-timeline.ts";
import type { PageParts, Visit } from "./visit.ts";

const maxEntries = 200;

/** `/audit`: who started, paused, cancelled or requeued what, newest first. */
export async function auditPage(
  { notes, clock }: PageParts,
  { session, repositories }: Visit,
): Promise<PageAnswer> {
  const found = await notes.list({
    ...{ kind: "audit", repositories: [...repositories.keys()].map(String), limit: maxEntries },
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
    <p class="quiet">The last ${maxEntries} events of the repositories that you can read; they are kept for 180 days.</p>
    ${items.length > 0 ? html`<ol class="list">${items}</ol>` : html`<p>Nothing has happened yet.</p>`}`;
  return renderAppPage({ title: "Audit trail", main, session, here: "/audit" });
}
