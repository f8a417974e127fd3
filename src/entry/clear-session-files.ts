import type { Files } from "../platform/system.ts";
import { SessionFile } from "../schema/session-files/session.ts";

/** What a session shows in its folder, all of it written by us. */
export const sessionFiles = [
  "session.json",
  "task-status.json",
  "task-status.sha256",
  "run-record.json",
  "logs",
];

/**
 * Takes away what `.ralph-session` shows of a session that is removed. A folder that shows another session, or
 * was written by another tool, stays as it is.
 */
export async function clearSessionFiles(
  files: Files,
  removed: readonly string[],
): Promise<string[]> {
  const text = (await files.read("session.json"))?.toString() ?? "";
  const shown = parseName(text);
  if (shown === undefined || !removed.includes(shown)) return [];
  const present = new Set(await files.list("."));
  const own = sessionFiles.filter((name) => present.has(name));
  for (const name of own) await files.remove(name);
  return own.map((name) => `${files.root}/${name}`);
}

function parseName(text: string): string | undefined {
  try {
    return SessionFile.safeParse(JSON.parse(text)).data?.session_id;
  } catch {
    return undefined;
  }
}
