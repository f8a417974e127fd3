import { join } from "node:path/posix";
import { RalphError } from "../error.ts";
import { commitFiles, type NewFile } from "../git/commit-files.ts";
import { diffTrees } from "../git/diff-trees.ts";
import { branchRef } from "../git/move-branch.ts";
import { missingObjects, readCommit } from "../git/objects.ts";
import { askGit } from "../git/run-git.ts";
import type { RunRecord } from "../model/run-record.ts";
import type { Run } from "../run/run.ts";
import { recordOf } from "../surfaces/views/run-record.ts";
import type { Story } from "./read-story.ts";
import { pushBranch, type Remote, readRemote } from "./remote.ts";
import type { SessionWish } from "./session-wish.ts";

/** The commit with the run's record that follows the last task's on the remote. */
export interface RecordCommit {
  commit: string;
  parent: string;
}

/** specs 004 10.4 */
const folder = ".ralph/autopilot/runs/";
const messageOf = ({ session }: Run) => `chore(ralph): run record of ${session.session_id}`;

/** A session that will be gone on with gets no last commit yet: its next task's commit would have to undo it. */
export const isOver = ({ end }: Run): boolean => end !== undefined && end.reason !== "checkpoint";

/**
 * Our own last commit where the remote's branch stands, of this session and on one of its commits: what an earlier
 * publisher has left. Anything else is somebody else's.
 */
export async function findRecord(
  remote: Remote,
  { run, start, own }: Story,
  archive: string | false,
): Promise<RecordCommit | undefined> {
  const { repo } = remote;
  const { tip } = await readRemote(remote, start.branch);
  if (tip === undefined || own.includes(tip)) return undefined;
  await fetchTip(remote, start.branch, tip);
  const facts = await readCommit(repo, tip);
  const [parent = "", ...others] = facts?.parents ?? [];
  const isNext = others.length === 0 && own.includes(parent);
  if (!isNext || facts?.message.trim() !== messageOf(run)) return undefined;
  const { files } = await diffTrees(repo, { from: parent, to: tip, maxBytes: 1024 * 1024 });
  const ours = archive === false ? [folder] : [folder, `${join(archive)}/`];
  const isOurs = files.every(({ path }) => ours.some((start) => path.startsWith(start)));
  return isOurs ? { commit: tip, parent } : undefined;
}

/** One that cannot be fetched is not ours; whoever pushes says that it is there. */
async function fetchTip({ repo, url, env }: Remote, branch: string, tip: string): Promise<void> {
  if ((await missingObjects(repo, [tip])).length === 0) return;
  const quiet = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"];
  const args = ["fetch", ...quiet, "--no-recurse-submodules", "--", url, branchRef(branch)];
  await askGit(repo, args, { env });
}

/** The record a pull request's last commit holds. */
export function recordWith(
  { run }: Story,
  { origin, proof }: SessionWish,
  url: string,
): RunRecord | undefined {
  const base = run.end && recordOf(run, run.end);
  if (!base) return undefined;
  const record = origin?.record ?? base;
  const isProved = record.proof !== undefined || base.proof !== undefined;
  return { ...record, pr_created: true, pr_url: url, ...(isProved && { proof }) };
}

/** All files of the last commit, the record first. */
export function recordFiles(record: RunRecord, { origin }: SessionWish): NewFile[] {
  const content = `${JSON.stringify(record, null, 2)}\n`;
  const path = `${folder}${record.run_id}.json`;
  return [{ path, content }, ...(origin?.archive(content) ?? [])];
}

/** Builds the last commit, always the same for the same story, and moves the branch to it from where it stands. */
export async function pushRecord(
  remote: Remote,
  { run, start: { branch } }: Story,
  { files, from }: { files: readonly NewFile[]; from: string },
): Promise<string> {
  const message = messageOf(run);
  const fields = { parent: run.head, files, message, date: run.end?.at ?? run.ts };
  const commit = await commitFiles(remote.repo, fields);
  if (commit !== from) await moveOn(remote, { branch, from, to: commit });
  return commit;
}

/** Moves the branch by compare-and-swap, or says whose commit is in the way. */
export async function moveOn(
  remote: Remote,
  step: { branch: string; from: string; to: string },
): Promise<void> {
  const result = await pushBranch(remote, step);
  if (result.kind === "pushed") return;
  throw new RalphError("git", {
    message: `The branch ${step.branch} of the remote is at ${result.tip ?? "no commit: somebody deleted it"}: somebody pushed there while the run record was made. The record was not pushed; the session's commits are there.`,
    remedy: "Look at what was pushed; the pull request is left as it is.",
  });
}
