import { dialectDocuments } from "../../dialects/dialects.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
import type { ReplayedEvent } from "../../journal/audit.ts";
import { spliceDocument } from "../../views/sync/document-writer.ts";
import { createDocuments } from "../../views/views.ts";
import type { FirewallViolation } from "./firewall.ts";
import type { Patch } from "./patch.ts";
import type { TrustedStart } from "./trusted-start.ts";

/**
 * Bookkeeping files must equal what ralph renders (design 5) from the file before the commit and the journal at that time.
 * A commit that the journal does not link to a passed task or a repair is not published.
 */
export async function checkBookkeeping(
  repo: Repository,
  moments: readonly ReplayedEvent[],
  { commit, patch, start }: { commit: string; patch: Patch; start: TrustedStart },
): Promise<FirewallViolation[]> {
  const isMade = ({ event }: ReplayedEvent) =>
    (event.type === "task_committed" || event.type === "fix_committed") && event.commit === commit;
  const state = moments.find(isMade)?.before;
  if (!state) {
    const message = "is not the commit of a task that passed or of a repair in this session";
    return [{ path: `commit ${commit.slice(0, 12)}`, rule: "history", message }];
  }
  const changed = patch.files.filter(({ path }) => start.own.includes(path));
  const documents = [
    ...createDocuments({ ...start.config.autopilot.memory, ...start.config.memory }),
    ...dialectDocuments(start.config, state),
  ];
  const findings: FirewallViolation[] = [];
  for (const { path, after } of changed) {
    const view = documents.find((document) => document.path(state) === path);
    const before = await readBlob(repo, { treeish: `${commit}^`, path });
    const text = view && spliceDocument(view, before, state);
    const rendered = text === undefined ? view && before : Buffer.from(text);
    if (after?.content && rendered && after.content.equals(rendered)) continue;
    const message = "differs from what the session's journal requires";
    findings.push({ path, rule: "bookkeeping", message });
  }
  return findings;
}
