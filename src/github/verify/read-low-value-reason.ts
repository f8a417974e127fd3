import type { Repository } from "../../git/repository/repository.ts";
import { lowValueReason } from "./low-value-change.ts";
import { readChanges } from "./read-patch.ts";
import type { TrustedStart } from "./trusted-start.ts";

/** Larger files are somebody's work, whatever is in them. */
const maxFileBytes = 4 * 1024 * 1024;

/** Why nobody would review what a session came to, all its commits together; undefined: somebody may. */
export async function readLowValueReason(
  repo: Repository,
  { start, head }: { start: TrustedStart; head: string },
): Promise<string | undefined> {
  const files = await readChanges(repo, { from: start.commit, to: head, maxFileBytes });
  return lowValueReason({ files, own: [...start.own, ...(start.plan?.paths ?? [])] });
}
