import { createTemporaryName } from "../platform/fs/temporary-file.ts";
import type { System } from "../platform/system.ts";
import type { SessionStore } from "./session-store.ts";

/**
 * A temporary store inside the store, removed with the object. No command finds its session, so it can never be resumed;
 * its temporary name lets the next command remove it after a crash.
 */
export function openScratch(
  system: Pick<System, "files">,
  { files, folder }: SessionStore,
): SessionStore & AsyncDisposable {
  const name = createTemporaryName();
  const own = `${folder}/${name}`;
  return {
    folder: own,
    files: system.files(own),
    session: (id) => system.files(`${own}/sessions/${id}`),
    [Symbol.asyncDispose]: () => files.remove(name),
  };
}
