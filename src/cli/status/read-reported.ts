import { resolve } from "node:path/posix";
import type { RunEvent } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { journalFile, replayJournal } from "../../journal/journal.ts";
import { digestOf } from "../../journal/line.ts";
import type { Files } from "../../platform/system.ts";
import { locateProject } from "../../session/open/locate-project.ts";
import type { CommandContext } from "../core/command.ts";
import { requireSession } from "../core/read-session.ts";

/** A session as its journal tells it, wherever that lies. */
export interface Reported {
  state: SessionState;
  events: readonly RunEvent[];
  /** `seq:hash` of the journal's last line. */
  journal: string;
  /** Some process works on it now. */
  isAlive: boolean;
}

/** The session that is named by its id or by a folder with a bundle; else the one that runs, else the last. */
export async function readReported(
  { system, directory }: CommandContext,
  named: string | undefined,
): Promise<Reported> {
  // A bundle was made elsewhere: where it is read there need be no repository.
  const bundle = named && (await readBundle(system.files(resolve(directory, named))));
  if (bundle) return bundle;
  const { store } = await locateProject(system, directory);
  const { state, history, journal, owner } = await requireSession(store, named);
  const events = history.map(({ event }) => event);
  return { state, events, journal, isAlive: owner !== undefined };
}

async function readBundle(files: Files): Promise<Reported | undefined> {
  if (!(await files.stat(journalFile))) return undefined;
  const events: RunEvent[] = [];
  const replay = await replayJournal(files, (event) => void events.push(event));
  return replay && { state: replay.state, events, journal: digestOf(replay.end), isAlive: false };
}
