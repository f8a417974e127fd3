import type { RunEvent } from "../core/state/event.ts";
import { replayJournal } from "../journal/journal.ts";
import { digestOf } from "../journal/line.ts";
import type { Files } from "../platform/system.ts";
import { renderHtmlReport } from "../views/html/report.ts";
import { slimEvent } from "../views/html/slim-event.ts";

/** A session as a page for people, in its bundle. */
export const pageFile = "report.html";

/** Renders the page from a bundle and into it, also where the session was killed before its end. */
export async function addPage(bundle: Files): Promise<void> {
  const events: RunEvent[] = [];
  const replay = await replayJournal(bundle, (event) => void events.push(slimEvent(event)));
  if (!replay) return;
  const given = { events, journal: digestOf(replay.end), isAlive: false };
  await bundle.write(pageFile, renderHtmlReport(replay.state, given));
}
