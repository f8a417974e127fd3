import { openSideRepository, type SideRepository } from "../../git/open/open-side-repository.ts";
import { locateRepository } from "../../git/repository/locate-repository.ts";
import { openSessionStore, type SessionStore } from "../../journal/session-store.ts";
import { createTemporaryName } from "../../platform/fs/temporary-file.ts";
import type { System } from "../../platform/system.ts";

/** A project and its store: enough for commands that only read sessions. */
export type LocatedProject = { root: string; store: SessionStore };

/** Finds the project a folder belongs to without reading its files, so broken ones do not matter. */
export async function locateProject(
  system: Pick<System, "ask" | "env" | "files">,
  directory: string,
): Promise<LocatedProject> {
  return locateStore(system, await findRoot(system, directory));
}

/** The store of a project root. Exit 14 outside of a git repository. */
export async function locateStore(
  system: Pick<System, "ask" | "env" | "files">,
  directory: string,
): Promise<LocatedProject> {
  const { gitDir, root } = await locateRepository(system, directory);
  return { root, store: openSessionStore(system, { gitDir, root }) };
}

/** The nearest folder upwards within the repository that holds `.ralph`; else the folder itself. */
export async function findRoot(
  { files }: Pick<System, "files">,
  directory: string,
): Promise<string> {
  for (let folder = directory; ; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    if (folder === "") return directory;
    if ((await files(folder).stat(".ralph"))?.kind === "folder") return folder;
    if (await files(folder).stat(".git")) return directory;
  }
}

/** The project's repository, to read it while a session may be running; see `openSideRepository`. */
export function openSide(system: System, { root, store }: LocatedProject): Promise<SideRepository> {
  // A temporary name, so that it is removed after a crash.
  const privateDir = `${store.folder}/${createTemporaryName()}`;
  return openSideRepository(system, { directory: root, privateDir });
}
