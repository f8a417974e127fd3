import type { SessionState } from "../core/state/session-state.ts";
import type { OwnFiles } from "../platform/fs/own-files.ts";
import { canonicalChecksum } from "../schema/session-files/checksum.ts";
import { SessionFile } from "../schema/session-files/session.ts";
import { TaskStatusFile } from "../schema/session-files/task-status.ts";

/** The status that a stopped session left in the session directory. */
export type LeftStatus =
  | { kind: "absent" | "verified" }
  | { kind: "changed"; path: string; message: string };

const path = "task-status.json";

/**
 * Checks task-status.json before a resumed session replaces it (specs 004 4.7): its own checksum, and that it shows no task
 * as passed that the journal does not. The checksum beside it may be older by one write, after a kill between the two.
 */
export async function checkLeftStatus(
  files: Pick<OwnFiles, "read">,
  { session, tasks }: Pick<SessionState, "session" | "tasks">,
): Promise<LeftStatus> {
  const shown = SessionFile.safeParse(parse(await files.read("session.json"))).data;
  const bytes = await files.read(path);
  if (shown?.session_id !== session.session_id || bytes === undefined) return { kind: "absent" };
  const changed = (how: string): LeftStatus => ({
    kind: "changed",
    path,
    message: `${path} was changed while the session was stopped: ${how}.`,
  });
  const status = TaskStatusFile.safeParse(parse(bytes)).data;
  if (!status) return changed("it is not in the format that ralph writes");
  if (status.checksum !== canonicalChecksum(status)) return changed("its checksum does not match");
  const passed = new Set(tasks.flatMap(({ task, state }) => (state === "passed" ? task.id : [])));
  const forged = Object.keys(status.tasks).find(
    (id) => status.tasks[id]?.passes && !passed.has(id),
  );
  if (forged === undefined) return { kind: "verified" };
  return changed(`it shows ${forged} as passed, and the journal does not`);
}

function parse(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString() ?? "null");
  } catch {
    return null;
  }
}
