import { dirname } from "node:path/posix";
import { writePack } from "../../git/commits/bundle.ts";
import { openRepository } from "../../git/open/open-repository.ts";
import { replayJournal } from "../../journal/journal.ts";
import type { System } from "../../platform/system.ts";
import { bundledObjects, packFile } from "./bundled-objects.ts";

type SessionFolder = { directory: string; folder: string };

/**
 * Completes a session's folder to a bundle. A session that ended is complete already; for one that was killed, the
 * commits and trees its journal names are packed now. `empty`: it was killed before it began.
 */
export async function finalizeBundle(
  system: System,
  { directory, folder }: SessionFolder,
): Promise<"whole" | "sealed" | "empty"> {
  const files = system.files(folder);
  const replay = await replayJournal(files);
  if (!replay) return "empty";
  if (replay.state.end && (await files.stat(packFile))) return "whole";
  await packSession(system, { directory, folder });
  return "sealed";
}

/** Packs the objects of the session in a folder of the store, whether or not there is a pack already. */
export async function packSession(
  system: System,
  { directory, folder }: SessionFolder,
): Promise<void> {
  const files = system.files(folder);
  const replay = await replayJournal(files);
  if (!replay) return;
  const { state } = replay;
  // A session's folder is `sessions/<id>` in its store.
  const stateDir = dirname(dirname(folder));
  const { branch } = state.session;
  const repo = await openRepository(system, { directory, stateDir, branch });
  const objects = await bundledObjects(files, state);
  await writePack(repo, { file: `${folder}/${packFile}`, ...objects });
}
