import { openSideRepository, type SideRepository } from "../../git/open/open-side-repository.ts";
import { createTemporaryName } from "../../platform/fs/temporary-file.ts";
import type { System } from "../../platform/system.ts";
import type { LocatedProject } from "./locate-project.ts";

/** The project's repository to look into, whatever session is at work; see `openSideRepository`. */
export function openSide(system: System, { root, store }: LocatedProject): Promise<SideRepository> {
  // Named as what a dead process leaves is named, so that it is swept after a crash.
  const privateDir = `${store.folder}/${createTemporaryName()}`;
  return openSideRepository(system, { directory: root, privateDir });
}
