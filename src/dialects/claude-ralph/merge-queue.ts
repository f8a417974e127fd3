import { RalphError, visible } from "../../error.ts";
import { renderJson } from "../json-text.ts";
import { isHeld, parseQueue } from "./plans.ts";
import type { ClaudeRalphQueue, ClaudeRalphTask } from "./schema/index.ts";

/** The queue on the disk, this session's, and the one that it wrote last. */
export interface QueueVersions {
  disk: string | undefined;
  ours: string;
  before: string | undefined;
  /** The names of this session's agents. */
  workers: readonly string[];
  /** ISO 8601, UTC. */
  now: string;
}

/** `theirs`: the tasks that other programs have taken. */
export type MergedQueue = { text: string; theirs: readonly ClaudeRalphTask[] };

/**
 * This session's queue with the changes that other programs made under the lock: a task they have taken stays theirs, and
 * tasks and fields they have added stay. Undefined for a queue that is not understood, which is left as it is.
 */
export function mergeQueue(versions: QueueVersions): MergedQueue | undefined {
  const { disk, ours, before } = versions;
  if (disk === undefined || disk === before || disk === ours) return { text: ours, theirs: [] };
  const found = parseQueue(disk);
  const own = parseQueue(ours);
  if (!found || !own) return undefined;
  const seen = byId(parseQueue(before));
  const isTheirs = (task: ClaudeRalphTask) => isForeign(task, seen.get(task.id), versions);
  const theirs = found.tasks.filter(isTheirs);
  const kept = byId({ tasks: theirs });
  const there = byId(found);
  const wanted = byId(own);
  // A pass is proved and committed; no claim undoes it, unless the queue offered the task to everyone.
  const isOffered = ({ id }: ClaudeRalphTask) => seen.get(id)?.status === "pending";
  const merged = own.tasks.map((task) => {
    const claim = task.status === "done" && !isOffered(task) ? undefined : kept.get(task.id);
    return claim ?? { ...there.get(task.id), ...task };
  });
  const added = found.tasks.filter(
    ({ id }) => before !== undefined && !seen.has(id) && !wanted.has(id),
  );
  const text = renderJson({ ...found, ...own, tasks: [...merged, ...added] });
  const open = theirs.filter((task) => {
    const status = wanted.get(task.id)?.status;
    return status !== undefined && (status !== "done" || isOffered(task));
  });
  return { text, theirs: open };
}

const byId = (queue: Pick<ClaudeRalphQueue, "tasks"> | undefined) =>
  new Map((queue?.tasks ?? []).map((task) => [task.id, task]));

/** Changed since this session wrote it; at the first write, claimed by an agent of another name within its lease. */
function isForeign(
  task: ClaudeRalphTask,
  seen: ClaudeRalphTask | undefined,
  { before, workers, now }: QueueVersions,
): boolean {
  if (task.status === "pending") return false;
  if (before === undefined)
    return isHeld(task, { agents: [] }, now) && !workers.includes(task.claimed_by ?? "");
  return seen !== undefined && (task.status !== seen.status || task.claimed_by !== seen.claimed_by);
}

/** Two workers in one checkout would undo each other's work, so the session ends (exit 24). */
export function claimedElsewhere(
  path: string,
  [first]: readonly ClaudeRalphTask[],
  passed: readonly string[],
): RalphError {
  const who = visible(first?.claimed_by ?? "another program");
  const isDone = passed.includes(first?.id ?? "");
  return new RalphError("claim", {
    message: `${who} of another program has taken ${visible(first?.id ?? "a task")} in ${visible(path)}.${isDone ? " ralph had finished it before it could say so there; its commit stays." : ""}`,
    remedy: "Wait until it has ended, then continue with `ralph run --resume`.",
  });
}
