import type { Files } from "../platform/system.ts";
import { SessionFile } from "../schema/session-files/session.ts";

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

/**
 * Deletes the files of removed sessions from `.ralph-session`; returns their paths. Files of another session or another
 * tool stay.
 */
export async function clearSessionFiles(
  files: Files,
  removed: readonly string[],
): Promise<string[]> {
  const text = (await files.read("session.json"))?.toString() ?? "";
  const id = parseSessionId(text);
  if (id === undefined || !removed.includes(id)) return [];
  const present = new Set(await files.list("."));
  const own = sessionFiles.filter((name) => present.has(name));
  for (const name of own) await files.remove(name);
  return own.map((name) => `${files.root}/${name}`);
}

function parseSessionId(text: string): string | undefined {
  try {
    return SessionFile.safeParse(JSON.parse(text)).data?.session_id;
  } catch {
    return undefined;
  }
}
