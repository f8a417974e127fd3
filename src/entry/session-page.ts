import type { RunEvent } from "../core/state/event.ts";
import { replayJournal } from "../journal/journal.ts";
import { digestOf } from "../journal/line.ts";
import type { Files } from "../platform/system.ts";
import { renderHtmlReport } from "../views/html/report.ts";
import { slimEvent } from "../views/html/slim-event.ts";
import { readPictures } from "./read-pictures.ts";

/** The HTML report in a bundle. */
export const pageFile = "report.html";

/** Writes the HTML report of a session into its bundle, even if the session was killed. */
export async function addPage(bundle: Files): Promise<void> {
  const events: RunEvent[] = [];
  const replay = await replayJournal(bundle, (event) => void events.push(slimEvent(event)));
  if (!replay) return;
  const pictures = await readPictures(bundle, replay.state);
  const given = { events, journal: digestOf(replay.end), isAlive: false, pictures };
  await bundle.write(pageFile, renderHtmlReport(replay.state, given));
}
