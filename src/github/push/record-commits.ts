import { join } from "node:path/posix";
import { buildCommit } from "../../git/commits/build-commit.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readGitLine } from "../../git/repository/run-git.ts";
import { diffTrees } from "../../git/trees/diff-trees.ts";
import { type CommitFacts, isAncestor, readBlob, readCommit } from "../../git/trees/objects.ts";
import { RunRecordFile } from "../../schema/session-files/run-record.ts";
import type { SessionDraft } from "../publication/prepare-publication.ts";

/** specs 004 10.4 */
export const recordFolder = ".ralph/autopilot/runs/";
export const recordMessage = (sessionId: string) => `chore(ralph): run record of ${sessionId}`;

const recordSubject = /^chore\(ralph\): run record of \S+$/;
const joinMessage = "chore(ralph): the session goes on after its run record";
/** More often than anybody publishes a session. */
const maxSteps = 100;

type Known = Pick<SessionDraft, "own" | "start">;

/**
 * The newest commit of the session, or of the history it started from, that a tip of the branch stands on: that tip
 * itself, or below nothing but what earlier publishers have put there (decision 10). Undefined: it is somebody else's.
 */
export async function findSessionCommit(
  repo: Repository,
  tip: string,
  known: Known,
): Promise<string | undefined> {
  const joints: Joint[] = [];
  let at = tip;
  for (let step = 0; step < maxSteps; step++) {
    if (await isKnown(repo, at, known)) return groundAbove(repo, { joints, lowest: at }, known);
    const below = await noteAt(repo, at, known);
    if (!below) return undefined;
    if (below.head !== undefined) joints.push({ commit: at, ...below, head: below.head });
    at = below.note;
  }
  return undefined;
}

type Joint = { commit: string; note: string; head: string };

/** What a commit of a publisher stands on: `head` only where it joins a session's commit to a note. */
async function noteAt(
  repo: Repository,
  commit: string,
  known: Known,
): Promise<{ note: string; head?: string | undefined } | undefined> {
  const facts = await readCommit(repo, commit);
  const [note, head, ...others] = facts?.parents ?? [];
  if (!facts || note === undefined || others.length > 0) return undefined;
  const message = facts.message.trim();
  const isOurs =
    head === undefined
      ? await isRecord(repo, { commit, parent: note, message }, known)
      : message === joinMessage && (await isKnown(repo, head, known));
  return isOurs ? { note, head } : undefined;
}

/** Joints are made again from the lowest on, each with what was known below it. */
async function groundAbove(
  repo: Repository,
  { joints, lowest }: { joints: readonly Joint[]; lowest: string },
  known: Known,
): Promise<string | undefined> {
  let ground = lowest;
  for (const { commit, note, head } of joints.toReversed()) {
    const made = await joinCommit(repo, { note, ground, head });
    if (!(await isMadeByUs(repo, { made, there: commit }, known))) return undefined;
    ground = head;
  }
  return ground;
}

async function isKnown(repo: Repository, commit: string, { own, start }: Known): Promise<boolean> {
  return own.includes(commit) || (await isAncestor(repo, commit, start.commit));
}

type Candidate = { commit: string; parent: string; message: string };

/** Whether a commit is one that a publisher makes: a record and its archive, byte for byte, and nothing else. */
async function isRecord(
  repo: Repository,
  { commit, parent, message }: Candidate,
  known: Known,
): Promise<boolean> {
  if (!recordSubject.test(message)) return false;
  const { archive } = known.start.config.autopilot.memory;
  const { files } = await diffTrees(repo, { from: parent, to: commit, maxBytes: 1024 * 1024 });
  const contents = files.map(async ({ path }) => ({
    path,
    content: await readBlob(repo, { treeish: commit, path }),
  }));
  const ours = (await Promise.all(contents)).flatMap(({ path, content }) => {
    const isArchived = archive !== false && path.startsWith(`${join(archive)}/`);
    return content && (isArchived || isRecordFile(path, content)) ? [{ path, content }] : [];
  });
  if (ours.length === 0 || ours.length !== files.length) return false;
  const date = await dateOf(repo, commit);
  const again = { parent, files: ours, message, date };
  const made = await buildCommit(repo, again);
  return isMadeByUs(repo, { made, there: commit }, known);
}

/** Whether what is there is what we make. Of commits GitHub makes for us it sets itself by whom and when. */
async function isMadeByUs(
  repo: Repository,
  { made, there }: { made: string; there: string },
  { start }: Known,
): Promise<boolean> {
  if (made === there) return true;
  if (start.config.commits !== "api") return false;
  const [one, other] = await Promise.all([made, there].map((id) => readCommit(repo, id)));
  const shapeOf = (facts: CommitFacts | undefined) =>
    facts && [facts.tree, ...facts.parents, facts.message.trim()].join("\n");
  return one !== undefined && shapeOf(one) === shapeOf(other);
}

function isRecordFile(path: string, content: Buffer): boolean {
  const text = content.toString();
  try {
    const record = RunRecordFile.parse(JSON.parse(text));
    const isNamed = path === `${recordFolder}${record.run_id}.json`;
    return isNamed && `${JSON.stringify(JSON.parse(text), null, 2)}\n` === text;
  } catch {
    return false;
  }
}

const dateOf = (repo: Repository, commit: string) =>
  readGitLine(repo, ["log", "-1", "--no-show-signature", "--format=%cI", commit]);

/**
 * The merge by which a branch goes on to a session's new head although our own note stands on its old one (`ground`):
 * the head with the note's files, always the same for the same three. No history is lost, and no push is forced.
 */
export async function joinCommit(
  repo: Repository,
  { note, ground, head }: { note: string; ground: string; head: string },
): Promise<string> {
  const { files } = await diffTrees(repo, { from: ground, to: note, maxBytes: 1024 * 1024 });
  const noted = [];
  for (const { path } of files) {
    const content = await readBlob(repo, { treeish: note, path });
    if (content) noted.push({ path, content });
  }
  const fields = { parent: head, files: noted, message: joinMessage };
  return buildCommit(repo, { ...fields, date: await dateOf(repo, head), before: note });
}
