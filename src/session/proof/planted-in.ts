import { isPlantedProgram, plantedFiles } from "../../core/proof/planted-files.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { forgetPackages } from "../workers/kept-packages.ts";
import { forgetSetUp } from "../workers/set-up-worker.ts";

/**
 * Files of installed packages among the ignored ones that a gate changed in the checkout where all gates of a session run. Programs among them
 * are removed, and the packages are laid out again for the next gate: code of the work could plant one.
 */
export async function plantedIn(
  context: SessionContext,
  changed: readonly string[],
): Promise<string[]> {
  const { repo, system } = context;
  const planted = plantedFiles(changed);
  const programs = planted.filter(isPlantedProgram);
  if (programs.length === 0) return planted;
  for (const path of programs) await system.files(repo.root).remove(path);
  forgetPackages(repo);
  forgetSetUp(context, { all: true });
  return planted;
}
