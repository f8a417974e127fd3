import { replayJournal } from "../journal/journal.ts";
import { digestOf, hashLine } from "../journal/line.ts";
import type { RunEvent } from "../run/event.ts";
import type { Run } from "../run/run.ts";
import type { ViewFiles } from "../surfaces/view-files.ts";
import { renderHtmlReport } from "../surfaces/views/html/report.ts";
import { slimEvent } from "../surfaces/views/html/slim-event.ts";
import type { Files } from "../system/system.ts";

/** A session as a page for people: in its session directory, and in its bundle. */
export const pageFile = "report.html";

/** Remembers what a session's page shows, so that it is written only once: when the session has come to its end. */
export interface SessionPage {
  /** An event that is on record already. */
  replay: (event: RunEvent) => void;
  /** One that was journaled just now. */
  notice: (event: RunEvent) => void;
  write: (run: Run, files: Pick<ViewFiles, "write">) => Promise<void>;
}

export function createSessionPage(): SessionPage {
  const events: RunEvent[] = [];
  let journal: string | undefined;
  return {
    replay: (event) => void events.push(slimEvent(event)),
    notice: (event) => {
      events.push(slimEvent(event));
      // An event is journaled as its JSON; what was read back may have another order of keys.
      if (event.type === "session_end") {
        journal = digestOf({ seq: event.seq, hash: hashLine(JSON.stringify(event)) });
      }
    },
    write: async (run, files) => {
      if (!run.end || journal === undefined) return;
      await files.write(pageFile, renderHtmlReport(run, { events, journal, isAlive: false }));
    },
  };
}

/** The same from a bundle and into it, also where the session was killed before its end. */
export async function addPage(bundle: Files): Promise<void> {
  const events: RunEvent[] = [];
  const replay = await replayJournal(bundle, (event) => void events.push(slimEvent(event)));
  if (!replay) return;
  const given = { events, journal: digestOf(replay.end), isAlive: false };
  await bundle.write(pageFile, renderHtmlReport(replay.run, given));
}
