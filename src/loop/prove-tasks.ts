import { isDeepStrictEqual } from "node:util";
import { RalphError } from "../error.ts";
import { readBlob } from "../git/objects.ts";
import type { Repository } from "../git/repository.ts";
import type { Prd } from "../model/prd.ts";
import { RunTask } from "../run/event.ts";
import { authorOf } from "../run/list-author.ts";
import { passedHere } from "../run/prove.ts";
import type { Run } from "../run/run.ts";
import { parseTaskFile } from "../system/task-file.ts";

/**
 * Tasks that passed and are not what the list says: whoever makes a bundle could journal easier criteria. `commit`
 * holds the list: the start commit, or the user's last edit of the list that the session took over.
 */
export async function foreignTasks(
  repo: Repository,
  { run, commit }: { run: Run; commit: string },
): Promise<string[]> {
  const { path } = run.session.source;
  const name = `${path} of commit ${commit.slice(0, 12)}`;
  const list = await readList(repo, { commit, path });
  if (!list) return [`${name} is no task list, so no criterion can be judged`];
  if (authorOf(list).list_author === "model" && run.session.list_author !== "model") {
    return [`${name} is a model's, and the journal does not say so`];
  }
  const listed = list.tasks.map((task) => RunTask.parse(task));
  return passedHere(run)
    .filter(({ task }) => !listed.some((each) => isDeepStrictEqual(each, task)))
    .map(({ task }) => `${task.id} is not the task that stands in ${name}`);
}

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
