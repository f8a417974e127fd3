import type { SessionState } from "../../core/state/session-state.ts";
import { liveDocuments } from "../../dialects/dialects.ts";
import { RalphError } from "../../error.ts";
import { buildCommit, type NewFile } from "../../git/commits/build-commit.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
import type { RunRecordFile } from "../../schema/session-files/run-record.ts";
import { recordOf } from "../../views/session-files/run-record.ts";
import { spliceDocument } from "../../views/sync/document-writer.ts";
import type { SessionDraft } from "../publication/prepare-publication.ts";
import type { PublishRequest } from "../publication/publish-request.ts";
import type { Pusher } from "../push/pusher.ts";
import { recordFolder, recordMessage } from "../push/record-commits.ts";

/** Whether a session has ended. One at a checkpoint gets no run record yet. */
export const isOver = ({ end }: SessionState): boolean =>
  end !== undefined && end.reason !== "checkpoint";

/** The run record in a pull request's last commit. */
export function recordWith(
  { state }: SessionDraft,
  { origin, proof }: PublishRequest,
  url: string,
): RunRecordFile | undefined {
  const base = state.end && recordOf(state, state.end);
  if (!base) return undefined;
  const record = origin?.record ?? base;
  const isProved = record.proof !== undefined || base.proof !== undefined;
  return { ...record, pr_created: true, pr_url: url, ...(isProved && { proof }) };
}

/** All files of the last commit, the record first. */
export function recordFiles(record: RunRecordFile, { origin }: PublishRequest): NewFile[] {
  const content = `${JSON.stringify(record, null, 2)}\n`;
  const path = `${recordFolder}${record.run_id}.json`;
  return [{ path, content }, ...(origin?.archive(content) ?? [])];
}

/**
 * Documents of other tools as the end of the session leaves them, for tasks that have no commit: the bytes of its work tree,
 * from those at the branch's tip.
 */
export async function endedDocuments(
  repo: Repository,
  { state, start: { config } }: SessionDraft,
  tip: string,
): Promise<NewFile[]> {
  const files: NewFile[] = [];
  for (const view of liveDocuments(config, state)) {
    const path = view.path(state);
    const content = spliceDocument(view, await readBlob(repo, { treeish: tip, path }), state);
    if (content !== undefined) files.push({ path, content });
  }
  return files;
}

/** `gone`: the branch was deleted in the meantime. */
export type PushedRecord = { kind: "pushed"; tip: string } | { kind: "gone" };

/**
 * Adds a commit with these files to the branch's tip; adds none if the tip holds them already. The same draft makes the
 * same commit.
 */
export async function pushRecord(
  { remote, push }: Pusher,
  { state, start: { branch, commit: base } }: SessionDraft,
  { files, tip }: { files: readonly NewFile[]; tip: string },
): Promise<PushedRecord> {
  if (await holdsFiles(remote.repo, tip, files)) return { kind: "pushed", tip };
  const message = recordMessage(state.session.session_id);
  const date = state.end?.at ?? state.ts;
  const to = await buildCommit(remote.repo, { parent: tip, files, message, date });
  const result = await push({ branch, base, from: tip, to });
  if (result.kind === "pushed") return { kind: "pushed", tip: result.tip };
  if (result.tip === undefined) return { kind: "gone" };
  throw new RalphError("git", {
    message: `The branch ${branch} of the remote is at ${result.tip}: someone pushed to it while the run record was made. The session's commits were pushed, the record was not.`,
    remedy: "Look at the new commits; the pull request was left unchanged.",
  });
}

async function holdsFiles(
  repo: Repository,
  treeish: string,
  files: readonly NewFile[],
): Promise<boolean> {
  for (const { path, content } of files) {
    const found = await readBlob(repo, { treeish, path });
    if (!found?.equals(Buffer.from(content))) return false;
  }
  return true;
}
