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
  const { root } = place;
  const named = locateSessionDir({ option, env: system.env }, root);
  return { place, sessionDir: await checkSessionDir(system, { root, sessionDir: named }) };
}
