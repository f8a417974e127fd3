import type { SessionState } from "../core/state/session-state.ts";
import type { OwnFiles } from "../platform/fs/own-files.ts";
import type { Files } from "../platform/system.ts";
import { parseJsonAs } from "../schema/base/parse-json-as.ts";
import { canonicalChecksum } from "../schema/session-files/checksum.ts";
import { SessionFile } from "../schema/session-files/session.ts";
import { TaskStatusFile } from "../schema/session-files/task-status.ts";

/** The files ralph writes to the session directory. */
export const sessionFiles = [
  "session.json",
  "task-status.json",
  "task-status.sha256",
  "run-record.json",
  "logs",
  "artifacts",
  "pids",
];

const shownSession = async (files: Pick<OwnFiles, "read">) =>
  parseJsonAs(SessionFile, (await files.read("session.json"))?.toString())?.session_id;

/**
 * Deletes the files of removed sessions from `.ralph-session`; returns their paths. Files of another session or another
 * tool stay.
 */
export async function clearSessionFiles(
  files: Files,
  removed: readonly string[],
): Promise<string[]> {
  const id = await shownSession(files);
  if (id === undefined || !removed.includes(id)) return [];
  const present = new Set(await files.list("."));
  const own = sessionFiles.filter((name) => present.has(name));
  for (const name of own) await files.remove(name);
  return own.map((name) => `${files.root}/${name}`);
}

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
  const bytes = await files.read(path);
  if (!bytes || (await shownSession(files)) !== session.session_id) return { kind: "absent" };
  const changed = (how: string): LeftStatus => ({
    ...{ kind: "changed", path },
    message: `${path} was changed while the session was stopped: ${how}.`,
  });
  const status = parseJsonAs(TaskStatusFile, bytes.toString());
  if (!status) return changed("it is not in the format that ralph writes");
  if (status.checksum !== canonicalChecksum(status)) return changed("its checksum does not match");
  const passed = new Set(tasks.flatMap(({ task, state }) => (state === "passed" ? task.id : [])));
  const shown = Object.entries(status.tasks).filter(([, { passes }]) => passes);
  const [forged] = shown.find(([id]) => !passed.has(id)) ?? [];
  if (forged === undefined) return { kind: "verified" };
  return changed(`it shows ${forged} as passed, and the journal does not`);
}
