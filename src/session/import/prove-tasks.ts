import { isDeepStrictEqual } from "node:util";
import { passedInSession } from "../../core/checks/prove.ts";
import { RunTask } from "../../core/state/event.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { authorOf } from "../../core/state/task-list-origin.ts";
import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readBlob } from "../../git/trees/objects.ts";
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
async function readListed(
  repo: Repository,
  { state, commit }: ListAtCommit,
): Promise<Listed & { problems: string[] }> {
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
