import { dirname } from "node:path/posix";
import { writePack } from "../../git/commits/bundle.ts";
import { openRepository } from "../../git/open/open-repository.ts";
import { replayJournal } from "../../journal/journal.ts";
import type { System } from "../../platform/system.ts";
import { bundledObjects, packFile } from "./bundled-objects.ts";

type Sealed = { directory: string; folder: string };

/**
 * Makes a session's folder a whole bundle. One that came to its end is one; of a session that was killed the
 * commits and trees the journal names are packed now. `empty`: it was killed before it began.
 */
export async function finalizeBundle(
  system: System,
  { directory, folder }: Sealed,
): Promise<"whole" | "sealed" | "empty"> {
  const files = system.files(folder);
  const replay = await replayJournal(files);
  if (!replay) return "empty";
  if (replay.state.end && (await files.stat(packFile))) return "whole";
  await packSession(system, { directory, folder });
  return "sealed";
}

/** Packs what the session in a folder of the store has made, whatever was packed of it before. */
export async function packSession(system: System, { directory, folder }: Sealed): Promise<void> {
  const files = system.files(folder);
  const replay = await replayJournal(files);
  if (!replay) return;
  const { state } = replay;
  // A session's folder lies in its store: sessions/<id>.
  const stateDir = dirname(dirname(folder));
  const { branch } = state.session;
  const repo = await openRepository(system, { directory, stateDir, branch });
  const objects = await bundledObjects(files, state);
  await writePack(repo, { file: `${folder}/${packFile}`, ...objects });
}
