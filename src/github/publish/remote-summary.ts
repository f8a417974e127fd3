import type { Summary } from "../../views/summary/summary.ts";
import type { RemoteIds } from "../push/match-commits.ts";

/** A summary for those who read it on the remote: commits that were made anew there go by the ids they have there. */
export function withRemoteIds(summary: Summary, ids: RemoteIds): Summary {
  const there = (commit: string | null) => {
    const made = commit && [...ids].find(([local]) => local.startsWith(commit));
    return made ? made[1].slice(0, commit.length) : commit;
  };
  const tasks = summary.tasks.map((task) => ({ ...task, commit: there(task.commit) }));
  return { ...summary, head: there(summary.head) ?? summary.head, tasks };
}
