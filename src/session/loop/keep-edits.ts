import { basename, extname, join, relative } from "node:path/posix";
import type { Change } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { restorePaths } from "../../git/worktree/restore.ts";
import { updateLocked } from "../../platform/locks/file-locks.ts";
import { sha256 } from "../../schema/session-files/checksum.ts";
import { guardrailLocks, guardrailsPath } from "../../schema/session-files/guardrails.ts";
import { record, type SessionContext } from "./session-context.ts";

/**
 * Keeps a copy of a task list or of guardrails that something else changed while the session runs, before they are put
 * back: it may be a person's edit, or a lesson of an agent or another worker. The copy and the text it started from are in
 * the session directory; the warning names the command that merges them later.
 */
export async function keepEdits(session: SessionContext, changes: readonly Change[]) {
  const list = session.journal.state.session.source.path;
  for (const { path, kind } of changes) {
    if (path === list && kind === "modified" && !session.worker)
      await keepEdit(
        session,
        path,
        `${path} was changed while the session runs, and was put back.`,
      );
    if (path === guardrailsPath && (kind === "modified" || kind === "added"))
      await keepEdit(session, path, proposal);
  }
}

const proposal = `A lesson added to ${guardrailsPath} while the session runs is a proposal, and the file was put back.`;

async function keepEdit(session: SessionContext, path: string, what: string): Promise<void> {
  const { repo, journal, system, sessionDir } = session;
  const [edited, base] = await Promise.all([
    system.files(repo.root).read(path),
    readBlob(repo, { treeish: journal.state.headTree, path }),
  ]);
  if (!edited) return;
  const end = extname(path);
  const name = `edits/${basename(path, end)}-${sha256(edited).slice(0, 8)}`;
  const copies = { edit: `${name}${end}`, base: `${name}.base${end}` };
  const place = system.files(sessionDir);
  await place.write(copies.edit, edited);
  await place.write(copies.base, base ?? "");
  const root = session.worker?.main.repo.root ?? repo.root;
  const shown = (copy: string) => relative(root, join(sessionDir, copy));
  const apply = base
    ? `git merge-file ${path} ${shown(copies.base)} ${shown(copies.edit)}`
    : `cp ${shown(copies.edit)} ${path}`;
  const message = `${what} The change is kept; when the session has ended, apply it with \`${apply}\`.`;
  if (journal.state.warnings.includes(message)) return;
  await record(session, { type: "warning", message });
}

/** Puts changed paths back. Guardrails, which other programs write too, wait while one of those holds their lock. */
export async function putBack(session: SessionContext, changes: readonly Change[]): Promise<void> {
  const { repo, journal, system } = session;
  const isShared = ({ path, kind, isLink }: Change) =>
    path === guardrailsPath && kind !== "deleted" && kind !== "type-changed" && !isLink;
  await restorePaths(
    repo,
    changes.filter((change) => !isShared(change)),
  );
  if (!changes.some(isShared)) return;
  const base = await readBlob(repo, { treeish: journal.state.headTree, path: guardrailsPath });
  const merge = () => base?.toString() ?? null;
  const update = { path: guardrailsPath, locks: guardrailLocks, inPlace: true, merge } as const;
  await updateLocked(system.files(repo.root), [update]);
}
