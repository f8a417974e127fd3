import type { SessionState } from "../../core/state/session-state.ts";
import { dialectDocuments } from "../../dialects/dialects.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
import type { ReplayedEvent } from "../../journal/audit.ts";
import { spliceDocument } from "../../views/sync/document-writer.ts";
import type { SpliceView } from "../../views/view.ts";
import { createDocuments } from "../../views/views.ts";
import type { FirewallViolation } from "./firewall.ts";
import type { Patch } from "./patch.ts";
import type { TrustedStart } from "./trusted-start.ts";

type Checked = { commit: string; patch: Patch; start: TrustedStart };

/**
 * Bookkeeping files must equal what ralph renders (design 5) from the file before the commit and the journal at that time.
 * A commit that the journal does not link to a passed task or a repair is not published.
 */
export async function checkBookkeeping(
  repo: Repository,
  moments: readonly ReplayedEvent[],
  { commit, patch, start }: Checked,
): Promise<FirewallViolation[]> {
  const state = stateAtCommit(moments, commit);
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
    const rendered = await render(repo, { commit, path, documents, state });
    if (after?.content && rendered && after.content.equals(rendered)) continue;
    const message = "differs from what the session's journal requires";
    findings.push({ path, rule: "bookkeeping", message });
  }
  return findings;
}

/** The session's state when the commit was made. */
function stateAtCommit(
  moments: readonly ReplayedEvent[],
  commit: string,
): SessionState | undefined {
  const isOf = ({ event }: ReplayedEvent) =>
    (event.type === "task_committed" || event.type === "fix_committed") && event.commit === commit;
  return moments.find(isOf)?.before;
}

async function render(
  repo: Repository,
  {
    commit,
    path,
    documents,
    state,
  }: {
    commit: string;
    path: string;
    documents: readonly SpliceView[];
    state: SessionState;
  },
): Promise<Buffer | undefined> {
  const view = documents.find((document) => document.path(state) === path);
  if (!view) return undefined;
  const before = await readBlob(repo, { treeish: `${commit}^`, path });
  const text = spliceDocument(view, before, state);
  return text === undefined ? before : Buffer.from(text);
}
