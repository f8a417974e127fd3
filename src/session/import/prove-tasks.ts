import { isDeepStrictEqual } from "node:util";
import { passedInSession } from "../../core/checks/prove.ts";
import { RunTask } from "../../core/state/event.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { authorOf } from "../../core/state/task-list-origin.ts";
import { RalphError } from "../../error.ts";
import { readPack } from "../../git/commits/bundle.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { isObjectId, missingObjects, readBlob } from "../../git/trees/objects.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { parseTaskFile } from "../../sources/task-file.ts";

/** A session, and the commit with its task list: the start commit, or the user's last edit that it adopted. */
type ListAtCommit = { state: SessionState; commit: string };

/** Problems with passed tasks that differ from the list: the author of a bundle could journal easier criteria. */
export async function foreignTasks(repo: Repository, at: ListAtCommit): Promise<string[]> {
  const { problems, listed, name } = await readListed(repo, at);
  return [...problems, ...foreignAmong(passedInSession(at.state), { listed, name })];
}

/** The same for every task the session would continue with, and for tasks the journal leaves out. */
export async function foreignList(repo: Repository, at: ListAtCommit): Promise<string[]> {
  const { problems, listed, name } = await readListed(repo, at);
  const { tasks } = at.state;
  const known = new Set(tasks.map(({ task }) => task.id));
  const missing = listed.filter(({ id }) => !known.has(id));
  return [
    ...problems,
    ...foreignAmong(tasks, { listed, name }),
    ...missing.map(({ id }) => `${id} is in ${name}, but not in the journal`),
  ];
}

type Listed = { listed: readonly RunTask[]; name: string };

/** The tasks of the list, or a problem when it cannot be read. */
async function readListed(repo: Repository, { state, commit }: ListAtCommit) {
  const { path } = state.session.source;
  const name = `${path} of commit ${commit.slice(0, 12)}`;
  const list = await readList(repo, { commit, path });
  if (!list) {
    const problems = [`${name} is not a task list, so no criterion can be judged`];
    return { problems, name, listed: state.tasks.map(({ task }) => task) };
  }
  const isHidden = authorOf(list).list_author === "model" && state.session.list_author !== "model";
  const problems = isHidden
    ? [`${name} was written by a model, and the journal does not say so`]
    : [];
  return { problems, name, listed: list.tasks.map((task) => RunTask.parse(task)) };
}

function foreignAmong(tasks: readonly TaskState[], { listed, name }: Listed): string[] {
  return tasks
    .filter(({ task }) => !listed.some((each) => isSame(task, each)))
    .map(({ task }) => `${task.id} differs from the task in ${name}`);
}

/** The journal may have revoked a pass of the list: an edit of its criteria does that. */
const isSame = (task: RunTask, listed: RunTask) =>
  isDeepStrictEqual(task, { ...listed, passes: listed.passes && task.passes });

async function readList(
  repo: Repository,
  { commit, path }: { commit: string; path: string },
): Promise<Prd | undefined> {
  const bytes = await readBlob(repo, { treeish: commit, path });
  try {
    return bytes && parseTaskFile(bytes, path).prd;
  } catch (error) {
    if (error instanceof RalphError) return undefined;
    throw error;
  }
}

/** `edit`: the commit of the last list edit the journal says it adopted; `pack`: the bundle's objects. */
type BundledList = { state: SessionState; edit: string | undefined; pack: string };

/** Requires a session's tasks to be those committed here: a bundle's author could journal others. Exit 6 names the differences. */
export async function requireList(repo: Repository, { state, edit, pack }: BundledList) {
  if (edit !== undefined && !(await isOnBranch(repo, edit))) throw unknownEdit(edit);
  const commit = edit ?? state.session.start.commit;
  // The caller has checked the commits an autopilot run made before its session.
  if ((await missingObjects(repo, [commit])).length > 0) await readPack(repo, pack);
  const problems = await foreignList(repo, { state, commit });
  if (problems.length === 0) return;
  throw new RalphError("tampering", {
    message: `The journal of the bundle does not match the task list it names:\n${problems.slice(0, 20).join("\n")}`,
    remedy: "Find out who changed the bundle. To continue without it, start with `ralph run`.",
  });
}

/** That the object exists proves nothing: a bundle brings its own objects. */
async function isOnBranch(repo: Repository, commit: string): Promise<boolean> {
  if (!isObjectId(commit)) return false;
  const { exitCode, stdout } = await askGit(repo, [
    ...["for-each-ref", "--count=1", "--format=%(refname)"],
    ...[`--contains=${commit}`, "refs/heads", "refs/remotes"],
  ]);
  return exitCode === 0 && stdout.length > 0;
}

const unknownEdit = (commit: string) =>
  new RalphError("git", {
    message: `The session adopted an edit of the task list, commit ${commit.slice(0, 12)}, which is on no branch of this clone.`,
    remedy: "Fetch its branch, or push it first; then try again.",
  });
