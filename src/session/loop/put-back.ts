import type { Change } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { restorePaths } from "../../git/worktree/restore.ts";
import { updateLocked } from "../../platform/locks/file-locks.ts";
import { guardrailLocks, guardrailsPath } from "../../schema/session-files/guardrails.ts";
import type { SessionContext } from "./session-context.ts";

/**
 * Puts changed paths back. Guardrails, which other programs write under a lock of their own, are put back in place and
 * under that lock; while another program holds it, they stay as they are until the next time.
 */
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
