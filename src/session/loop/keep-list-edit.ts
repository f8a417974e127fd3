import { basename, extname, join, relative } from "node:path/posix";
import type { Change } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { sha256 } from "../../schema/session-files/checksum.ts";
import { record, type SessionContext } from "./session-context.ts";

/**
 * Keeps a copy of a task list that something else changed while the session runs, before it is put back: it may be a
 * person's edit. The copy and the list it started from are in the session directory; the warning names the command that
 * merges them later.
 */
export async function keepListEdit(
  session: SessionContext,
  changes: readonly Change[],
): Promise<void> {
  const { repo, journal, system, sessionDir } = session;
  const { path } = journal.state.session.source;
  const isEdit = (change: Change) => change.path === path && change.kind === "modified";
  if (session.worker || !changes.some(isEdit)) return;
  const files = system.files(repo.root);
  const [edited, base] = await Promise.all([
    files.read(path),
    readBlob(repo, { treeish: journal.state.headTree, path }),
  ]);
  if (!edited || !base) return;
  const end = extname(path);
  const name = `edits/${basename(path, end)}-${sha256(edited).slice(0, 8)}`;
  const copies = { edit: `${name}${end}`, base: `${name}.base${end}` };
  const place = system.files(sessionDir);
  await place.write(copies.edit, edited);
  await place.write(copies.base, base);
  const shown = (copy: string) => relative(repo.root, join(sessionDir, copy));
  const message = `${path} was changed while the session runs, and was put back. The change is kept; when the session has ended, apply it with \`git merge-file ${path} ${shown(copies.base)} ${shown(copies.edit)}\`.`;
  if (journal.state.warnings.includes(message)) return;
  await record(session, { type: "warning", message });
}
