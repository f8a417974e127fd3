import type { RunEvent } from "../core/state/event.ts";
import type { SessionState } from "../core/state/session-state.ts";
import { readEvidenceBytes } from "../journal/evidence.ts";
import { replayJournal } from "../journal/journal.ts";
import { digestOf } from "../journal/line.ts";
import type { Files } from "../platform/system.ts";
import { shownPictures } from "../views/html/pictures.ts";
import { renderHtmlReport } from "../views/html/report.ts";
import type { Pictures } from "../views/html/report-model.ts";
import { slimEvent } from "../views/html/slim-event.ts";

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

/** A report with its pictures fits into a mail. */
const maxBytes = 800 * 1024;

/** The pictures of a session's report, as many as fit, from its evidence in the store or in a bundle. */
export async function readPictures(files: Files, state: SessionState): Promise<Pictures> {
  const pictures = new Map<string, Buffer>();
  let room = maxBytes;
  for (const ref of shownPictures(state)) {
    if (pictures.has(ref.sha256) || ref.bytes > room) continue;
    // A report without a picture is better than none; `ralph audit` names evidence that is missing or changed.
    const content = await readEvidenceBytes(files, ref).catch(() => undefined);
    if (!content) continue;
    room -= content.byteLength;
    pictures.set(ref.sha256, content);
  }
  return pictures;
}
