import { join } from "node:path/posix";
import { documentStatusOf, hasLiveStatus } from "../../dialects/dialects.ts";
import { buildCommit } from "../../git/commits/build-commit.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readGitLine } from "../../git/repository/run-git.ts";
import { diffTrees } from "../../git/trees/diff-trees.ts";
import { type CommitFacts, isAncestor, readBlob, readCommit } from "../../git/trees/objects.ts";
import { parseJsonAs } from "../../schema/base/parse-json-as.ts";
import { RunRecordFile } from "../../schema/session-files/run-record.ts";
import type { PublicationDraft } from "../publication/prepare-publication.ts";

/** specs 004 10.4 */
export const recordFolder = ".ralph/autopilot/runs/";
export const recordMessage = (sessionId: string) => `chore(ralph): run record of ${sessionId}`;

const recordSubject = /^chore\(ralph\): run record of \S+$/;
const joinMessage = "chore(ralph): the session goes on after its run record";
const maxDiffBytes = 1024 * 1024;
/** More publications than any session has. */
const maxSteps = 100;

type Session = Pick<PublicationDraft, "own" | "start">;

/**
 * The newest commit of the session, or of the history it started from, below a branch's tip: the tip itself, or the
 * commit below the records and joins of earlier publishers (decision 10). Undefined when the tip is someone else's.
 */
export async function findSessionCommit(
  repo: Repository,
  tip: string,
  session: Session,
): Promise<string | undefined> {
  const joins: Join[] = [];
  let at = tip;
  for (let step = 0; step < maxSteps; step++) {
    if (await isSessionCommit(repo, at, session)) {
      return replayJoins(repo, { joins, lowest: at }, session);
    }
    const below = await publisherParents(repo, at, session);
    if (!below) return undefined;
    if (below.head !== undefined) joins.push({ commit: at, ...below, head: below.head });
    at = below.record;
  }
  return undefined;
}

/** A merge of a session's commit (`head`) into a branch that ends with a record. */
type Join = { commit: string; record: string; head: string };

/** The parents of a commit made by a publisher; `head` only for a join. Undefined for any other commit. */
async function publisherParents(
  repo: Repository,
  commit: string,
  session: Session,
): Promise<{ record: string; head?: string | undefined } | undefined> {
  const facts = await readCommit(repo, commit);
  const [record, head, ...others] = facts?.parents ?? [];
  if (!facts || record === undefined || others.length > 0) return undefined;
  const message = facts.message.trim();
  const isOurs =
    head === undefined
      ? await isRecord(repo, { commit, parent: record, message }, session)
      : message === joinMessage && (await isSessionCommit(repo, head, session));
  return isOurs ? { record, head } : undefined;
}

/** Makes every join again, from the lowest up; one that differs is not a publisher's. */
async function replayJoins(
  repo: Repository,
  { joins, lowest }: { joins: readonly Join[]; lowest: string },
  session: Session,
): Promise<string | undefined> {
  let from = lowest;
  for (const { commit, record, head } of joins.toReversed()) {
    const made = await joinCommit(repo, { record, from, head }, session);
    if (!(await isSameCommit(repo, { made, found: commit }, session))) return undefined;
    from = head;
  }
  return from;
}

async function isSessionCommit(
  repo: Repository,
  commit: string,
  { own, start }: Session,
): Promise<boolean> {
  return own.includes(commit) || (await isAncestor(repo, commit, start.commit));
}

/** Whether a commit is exactly one a publisher makes: a record, its archive, the status of tasks without a commit, nothing else. */
async function isRecord(
  repo: Repository,
  { commit, parent, message }: { commit: string; parent: string; message: string },
  session: Session,
): Promise<boolean> {
  if (!recordSubject.test(message)) return false;
  const { config } = session.start;
  const { archive } = config.autopilot.memory;
  const { files } = await diffTrees(repo, { from: parent, to: commit, maxBytes: maxDiffBytes });
  const contents = files.map(async ({ path }) => ({
    path,
    before: (await readBlob(repo, { treeish: parent, path }))?.toString(),
    content: await readBlob(repo, { treeish: commit, path }),
  }));
  const ours = (await Promise.all(contents)).flatMap(({ path, before, content }) => {
    if (!content) return [];
    const after = content.toString();
    const isArchived = archive !== false && path.startsWith(`${join(archive)}/`);
    // A document may differ in the status of a task that ended without a pass.
    const isLive = before !== undefined && hasLiveStatus(config, path);
    const isEnd = isLive && documentStatusOf(config, { before, after }) === "ended";
    return isArchived || isEnd || isRecordFile(path, after) ? [{ path, content }] : [];
  });
  if (ours.length === 0 || ours.length !== files.length) return false;
  const date = await dateOf(repo, commit);
  const made = await buildCommit(repo, { parent, files: ours, message, date });
  return isSameCommit(repo, { made, found: commit }, session);
}

/** Whether both commits are the same. GitHub sets author and date of commits it makes, so these do not count there. */
async function isSameCommit(
  repo: Repository,
  { made, found }: { made: string; found: string },
  { start }: Session,
): Promise<boolean> {
  if (made === found) return true;
  if (start.config.commits !== "api") return false;
  const [one, other] = await Promise.all([made, found].map((id) => readCommit(repo, id)));
  const shapeOf = (facts: CommitFacts | undefined) =>
    facts && [facts.tree, ...facts.parents, facts.message.trim()].join("\n");
  return one !== undefined && shapeOf(one) === shapeOf(other);
}

function isRecordFile(path: string, text: string): boolean {
  const record = parseJsonAs(RunRecordFile, text);
  return (
    path === `${recordFolder}${record?.run_id}.json` &&
    `${JSON.stringify(JSON.parse(text), null, 2)}\n` === text
  );
}

const dateOf = (repo: Repository, commit: string) =>
  readGitLine(repo, ["log", "-1", "--no-show-signature", "--format=%cI", commit]);

/**
 * The merge that moves a branch from its record (`record`, on top of the session's commit `from`) to the session's new
 * head: the head with the record's files, except documents, which stay as in the head. The same input makes the same
 * commit; no history is lost, no push is forced.
 */
export async function joinCommit(
  repo: Repository,
  { record, from, head }: { record: string; from: string; head: string },
  { start: { config } }: Pick<Session, "start">,
): Promise<string> {
  const { files } = await diffTrees(repo, { from, to: record, maxBytes: maxDiffBytes });
  const recorded = [];
  for (const { path } of files.filter((file) => !hasLiveStatus(config, file.path))) {
    const content = await readBlob(repo, { treeish: record, path });
    if (content) recorded.push({ path, content });
  }
  const date = await dateOf(repo, head);
  const content = { files: recorded, message: joinMessage, date };
  return buildCommit(repo, { ...content, parent: head, before: record });
}
