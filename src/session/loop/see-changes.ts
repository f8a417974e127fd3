import type { LiveStatus } from "../../dialects/dialect.ts";
import { documentStatusOf, hasLiveStatus } from "../../dialects/dialects.ts";
import { branchRef, readBranch, restoreHead } from "../../git/commits/move-branch.ts";
import { putHeadBack } from "../../git/open/side-worktree.ts";
import type { BranchPosition, Repository } from "../../git/repository/repository.ts";
import { readUserBranch } from "../../git/repository/user-head.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { changesSince, type WorkTreeChanges } from "../../git/worktree/changes.ts";
import { FileError } from "../../platform/file-error.ts";
import type { Files } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { positionOf, record, type SessionContext } from "./session-context.ts";

/** A worker's HEAD is detached: there is no position to compare it with. */
const nowhere: BranchPosition = { branch: "", commit: "" };

/** Reads the changes in a work tree, without ralph's own between two passes, and puts a moved branch or HEAD back. */
export async function seeChanges(session: SessionContext): Promise<WorkTreeChanges> {
  const seen = await seeAll(session);
  const { repo, config, journal } = session;
  const paths = seen.changes.flatMap(({ path, kind }) => (kind === "modified" ? [path] : []));
  const live = await liveChanges(repo, config, { paths, treeish: journal.state.headTree });
  return { ...seen, changes: seen.changes.filter(({ path }) => !live.has(path)) };
}

async function seeAll(session: SessionContext): Promise<WorkTreeChanges> {
  const { repo, journal, worker } = session;
  if (!worker) {
    const seen = await changesSince(repo, positionOf(journal));
    if (seen.headMoved) await putBranchBack(session);
    return seen;
  }
  const seen = await changesSince(repo, nowhere);
  await putHeadBack(repo);
  // The sandbox prevents moving it.
  if (session.sandbox === "off") await keepBranch(worker.main);
  return seen;
}

/** Without a sandbox an agent can move the session's branch from any work tree. Waits while ralph moves it itself. */
async function keepBranch(session: SessionContext): Promise<void> {
  if (await isInPlace(session)) return;
  const { turns } = session;
  await turns.project(async () => {
    if (!(await isInPlace(session))) await putBranchBack(session);
  });
}

/** While agents work in other work trees, a new commit on the branch is a person's: a warning says where to find it. */
async function putBranchBack(session: SessionContext): Promise<void> {
  const { repo, journal, policy } = session;
  const at = positionOf(journal);
  const tip = policy.parallel > 1 ? await readBranch(repo, at.branch) : at.commit;
  await restoreHead(repo, at);
  if (tip === undefined || tip === at.commit) return;
  const commit = tip.slice(0, 12);
  const message = `Branch ${at.branch} was moved to ${commit} while this session works on it, and was put back: \`git log ${commit}\` shows those commits.`;
  await record(session, { type: "warning", message });
}

/** Reads the ref without git, because this runs after every call and gate of every worker; a packed ref counts as moved. */
async function isInPlace({ repo, journal }: SessionContext): Promise<boolean> {
  const { files } = repo.system;
  const { branch, commit } = positionOf(journal);
  const [ref, head] = await Promise.all([
    readRef(files(repo.commonDir), branchRef(branch)),
    readUserBranch(files(repo.gitDir)),
  ]);
  return ref === commit && head === branch;
}

async function readRef(files: Files, ref: string): Promise<string | undefined> {
  // An agent may have put something else in its place.
  if ((await files.stat(ref))?.kind !== "file") return undefined;
  return (await files.read(ref, { maxBytes: 4096 }))?.toString().trim();
}

/** Among changed paths, the documents that differ from `treeish` only in the status ralph wrote between two passes. */
export async function liveChanges(
  repo: Repository,
  config: Pick<Config, "compat">,
  { paths, treeish }: { paths: readonly string[]; treeish: string },
): Promise<Map<string, LiveStatus>> {
  const found = new Map<string, LiveStatus>();
  for (const path of paths.filter((each) => hasLiveStatus(config, each))) {
    const after = await readText(repo, path);
    const before = (await readBlob(repo, { treeish, path }))?.toString();
    if (before === undefined || after === undefined) continue;
    const status = documentStatusOf(config, { before, after });
    if (status) found.set(path, status);
  }
  return found;
}

/** A link that an agent put in the file's place is a change like any other. */
async function readText({ system, root }: Repository, path: string): Promise<string | undefined> {
  try {
    return (await system.files(root).read(path))?.toString();
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
