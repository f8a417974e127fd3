import { RalphError } from "../error.ts";
import { diffTrees } from "../git/diff-trees.ts";
import { readBlob, readCommit } from "../git/objects.ts";
import { readStart } from "../git/start.ts";
import { RunTask } from "../run/event.ts";
import { parseTaskFile } from "../system/task-file.ts";
import { record, type Session } from "./session.ts";

/**
 * Looks at what happened to the branch since the session stopped. Our own commit that was not journaled yet is
 * made again later, with the same id. A commit that only edits the task list or its company is taken over:
 * `tasks_reloaded`. Anything else is somebody's work, and we stop (design 4).
 */
export async function adoptTaskEdits(session: Session): Promise<void> {
  const { repo, journal } = session;
  const { run } = journal;
  const tip = await readStart(repo);
  if (tip.commit === run.head) return;
  const commit = await readCommit(repo, tip.commit);
  const isOurs = commit?.trailers.some(
    ({ key, value }) => key === "Ralph-Session" && value === run.session.session_id,
  );
  const isDuringCall = run.tasks.some(({ state }) => state === "running");
  if (isOurs || isDuringCall) return;
  const { files } = await diffTrees(repo, {
    from: run.headTree,
    to: tip.tree,
    maxBytes: 1024 * 1024,
  });
  const isEdit = files.every(({ path }) => path.startsWith(".ralph/") || path === "AGENTS.md");
  if (!isEdit || !commit?.parents.includes(run.head)) throw movedOn(session, tip.commit);
  const { path } = run.session.source;
  const bytes = await readBlob(repo, { treeish: tip.commit, path });
  if (!bytes) throw movedOn(session, tip.commit);
  const { prd } = parseTaskFile(bytes, path);
  const tasks = prd.tasks.map((task) => RunTask.parse(task));
  const at = { commit: tip.commit, tree: tip.tree };
  await record(session, { type: "tasks_reloaded", tasks, ...at }, { durable: true });
}

function movedOn({ journal }: Session, tip: string): RalphError {
  const { session_id, branch } = journal.run.session;
  return new RalphError("git", {
    message: `Branch ${branch} is at ${tip.slice(0, 12)}, which session ${session_id} does not know.`,
    remedy: "Start a new session on it with `ralph run`; tasks that passed stay passed.",
  });
}
