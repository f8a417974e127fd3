import { readHistory } from "../git/trees/history.ts";
import { treeOf } from "../git/trees/objects.ts";
import type { ScanContext } from "../scan/scan-context.ts";
import { changedByRole, filesOfCommit, type PreparedTask } from "./hidden-files.ts";
import { judgeResult } from "./judge-result.ts";

/** Commits looked at for each task that is wanted. */
const perTask = 30;

/** Says why a commit is left out, or that it is taken. */
export type OnCommit = (line: string) => void;

/** Tasks from the repository's history, newest first: agents start on the parent, and the commit's tests judge the result. */
export async function mineHistory(
  context: ScanContext,
  { count, notice }: { count: number; notice: OnCommit },
): Promise<PreparedTask[]> {
  const repo = await context.repo();
  const tasks: PreparedTask[] = [];
  for (const { commit, subject, body } of await readHistory(repo, count * perTask)) {
    if (tasks.length === count || context.signal.aborted) break;
    const found = await tryCommit(context, commit);
    notice(`${commit.slice(0, 12)} ${subject}: ${found.because}`);
    if (!found.hidden) continue;
    const title = subject.slice(0, 100);
    tasks.push({
      name: `${commit.slice(0, 12)} ${subject.slice(0, 60)}`,
      task: {
        title,
        description: body.slice(0, 2000),
        acceptanceCriteria: [`What the task asks for is done: ${subject}`.slice(0, 500)],
      },
      start: `${commit}^`,
      hidden: found.hidden,
      isImpossible: false,
    });
  }
  return tasks;
}

type Tried = { because: string; hidden?: PreparedTask["hidden"] };

async function tryCommit(context: ScanContext, commit: string): Promise<Tried> {
  const [repo, { config }] = [await context.repo(), await context.config()];
  const roles = await changedByRole(repo, { config, commit });
  const files = roles.get("test") ?? [];
  if (files.length === 0) return { because: "changes no test" };
  if (!roles.has("product")) return { because: "changes no product code" };
  if (roles.has("control")) return { because: "changes settings or gate scripts" };
  const hidden = await filesOfCommit(repo, { commit, files });
  const own = { tree: await treeOf(repo, commit), hidden: new Map() };
  if ((await judgeResult(context, own)).kind !== "green") return { because: "is not green today" };
  const before = { tree: await treeOf(repo, `${commit}^`), hidden };
  const isRed = (await judgeResult(context, before)).kind === "red";
  return isRed ? { because: "taken", hidden } : { because: "its tests hold without it" };
}
