import { checkSessionDir } from "../git/worktree/session-dir.ts";
import type { System } from "../platform/system.ts";
import { type LocatedProject, locateProject } from "../session/open/locate-project.ts";
import { locateSessionDir } from "./locate-session-dir.ts";

/** A project with its store, and the directory for the files of its sessions, absolute. */
export async function locateSession(
  system: System,
  { directory, option }: { directory: string; option: string | undefined },
): Promise<{ place: LocatedProject; sessionDir: string }> {
  const place = await locateProject(system, directory);
  return { place, sessionDir: await chosenSessionDir(system, place, option) };
}

/** The session directory that an option or the environment chooses; exit 1 if it belongs to something else. */
export function chosenSessionDir(
  system: System,
  { root }: { root: string },
  option: string | undefined,
): Promise<string> {
  const sessionDir = locateSessionDir({ option, env: system.env }, root);
  return checkSessionDir(system, { root, sessionDir });
}
