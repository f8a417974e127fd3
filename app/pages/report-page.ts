import { readRunReport } from "../runs/run-report.ts";
import type { PageAnswer } from "../webhooks/route.ts";
import { readRun } from "./find-runs.ts";
import { notFoundPage } from "./frame/frame.ts";
import type { PageParts, Visit } from "./visit.ts";

/**
 * Nothing runs, nothing is loaded or sent, and the page has no origin: a report quotes agents and repositories. Its own
 * policy names the digest of its style, which another version of the App may have rendered.
 */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/** `/runs/<id>/report`: the report of a run's last session, as the App has rendered it from the journal. */
export async function reportPage(
  { notes }: PageParts,
  { session, repositories, asked }: Visit,
): Promise<PageAnswer> {
  const id = asked.parts[0] ?? "";
  const note = await notes.get("run", id);
  const report = note && readRun(note, repositories) ? await readRunReport(notes, id) : undefined;
  if (!report) return notFoundPage(session);
  const headers = {
    "content-security-policy": policy,
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
  };
  return { status: 200, type: "text/html", body: report.html, headers };
}
