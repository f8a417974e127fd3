import { createScratchName } from "../platform/fs/temporary-file.ts";
import { leaveVisibleFolder, visibleFolder } from "../platform/fs/visible-folder.ts";
import type { System } from "../platform/system.ts";
import type { SessionStore } from "./session-store.ts";

/**
 * A temporary store, removed with the object. No command finds its session, so it can never be resumed; its name lets
 * the next command remove it after a crash.
 */
export async function openScratch(
  system: Pick<System, "files">,
  { folder }: Pick<SessionStore, "folder">,
): Promise<SessionStore & AsyncDisposable> {
  const parent = visibleFolder(folder);
  const name = createScratchName();
  const own = `${parent}/${name}`;
  await system.files(parent).makeFolder(name);
  return {
    folder: own,
    files: system.files(own),
    session: (id) => system.files(`${own}/sessions/${id}`),
    [Symbol.asyncDispose]: async () => {
      await system.files(parent).remove(name);
      leaveVisibleFolder(folder);
    },
  };
}
