import { openSideRepository, type SideRepository } from "../../git/open/open-side-repository.ts";
import { createTemporaryName } from "../../platform/fs/temporary-file.ts";
import type { System } from "../../platform/system.ts";
import type { LocatedProject } from "./locate-project.ts";

/** The project's repository, to read it while a session may be running; see `openSideRepository`. */
export function openSide(system: System, { root, store }: LocatedProject): Promise<SideRepository> {
  // A temporary name, so that it is removed after a crash.
  const privateDir = `${store.folder}/${createTemporaryName()}`;
  return openSideRepository(system, { directory: root, privateDir });
}
