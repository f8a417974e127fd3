import { dirname } from "node:path/posix";
import { writePack } from "../git/bundle.ts";
import { openRepository } from "../git/open-repository.ts";
import { replayJournal } from "../journal/journal.ts";
import type { System } from "../system/system.ts";
import { bundledObjects } from "./bundled-objects.ts";
import { packFile } from "./import-bundle.ts";

/**
 * Makes a session's folder a whole bundle. One that came to its end is one; of a session that was killed the
 * commits and trees the journal names are packed now. `empty`: it was killed before it began.
 */
export async function sealBundle(
  system: System,
  { directory, folder }: { directory: string; folder: string },
): Promise<"whole" | "sealed" | "empty"> {
  const files = system.files(folder);
  const replay = await replayJournal(files);
  if (!replay) return "empty";
  const { run } = replay;
  if (run.end && (await files.stat(packFile))) return "whole";
  // A session's folder lies in its store: sessions/<id>.
  const stateDir = dirname(dirname(folder));
  const { branch } = run.session;
  const repo = await openRepository(system, { directory, stateDir, branch });
  await writePack(repo, { file: `${folder}/${packFile}`, ...bundledObjects(run) });
  return "sealed";
}
