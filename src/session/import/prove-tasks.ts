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

/** A run, and the commit with its list: the start commit, or the user's last edit of the list that it took over. */
type Asked = { state: SessionState; commit: string };

/** Tasks that passed and are not what the list says: whoever makes a bundle could journal easier criteria. */
export async function foreignTasks(repo: Repository, asked: Asked): Promise<string[]> {
  const { problems, listed, name } = await readListed(repo, asked);
  return [...problems, ...foreignAmong(passedInSession(asked.state), { listed, name })];
}

/** The same for every task a session would go on with, and what the journal leaves out of the list. */
export async function foreignList(repo: Repository, asked: Asked): Promise<string[]> {
  const { problems, listed, name } = await readListed(repo, asked);
  const { tasks } = asked.state;
  const known = new Set(tasks.map(({ task }) => task.id));
  const missing = listed.filter(({ id }) => !known.has(id));
  return [
    ...problems,
    ...foreignAmong(tasks, { listed, name }),
    ...missing.map(({ id }) => `${id} stands in ${name}, and not in the journal`),
  ];
}

type Listed = { listed: readonly RunTask[]; name: string };

/** Without a list that can be read there are problems, and no task of it. */
async function readListed(
  repo: Repository,
  { state, commit }: Asked,
): Promise<Listed & { problems: string[] }> {
  const { path } = state.session.source;
  const name = `${path} of commit ${commit.slice(0, 12)}`;
  const list = await readList(repo, { commit, path });
  if (!list) {
    const problems = [`${name} is no task list, so no criterion can be judged`];
    return { problems, name, listed: state.tasks.map(({ task }) => task) };
  }
  const isHidden = authorOf(list).list_author === "model" && state.session.list_author !== "model";
  const problems = isHidden ? [`${name} is a model's, and the journal does not say so`] : [];
  return { problems, name, listed: list.tasks.map((task) => RunTask.parse(task)) };
}

function foreignAmong(tasks: readonly TaskState[], { listed, name }: Listed): string[] {
  return tasks
    .filter(({ task }) => !listed.some((each) => isSame(task, each)))
    .map(({ task }) => `${task.id} is not the task that stands in ${name}`);
}

/** A pass the list tells may be gone since: an edit of its criteria takes it back. */
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
