import { createHash } from "node:crypto";
import type { SessionState } from "../core/state/session-state.ts";
import { isAllDone } from "../core/state/steer.ts";
import { RalphError, type StopReason } from "../error.ts";
import { createScratchName } from "../platform/fs/temporary-file.ts";
import { leaveVisibleFolder, visibleFolder } from "../platform/fs/visible-folder.ts";
import type { Environment, Files, System } from "../platform/system.ts";
import { replayJournal } from "./journal.ts";

/** The history that a repository keeps (design 2). */
const keptSessions = 5;
const keptDays = 14;

/** Ralph's folder for one project, out of reach of agents: private git directory, lock, and a folder per session (design 2). */
export interface SessionStore {
  folder: string;
  files: Files;
  session: (id: string) => Files;
}

/** `$RALPH_STATE_DIR`, else `$RUNNER_TEMP/ralph`, else the XDG state folder. */
export function stateFolder(env: Environment): string {
  if (env.RALPH_STATE_DIR) return env.RALPH_STATE_DIR;
  if (env.RUNNER_TEMP) return `${env.RUNNER_TEMP}/ralph`;
  return `${env.XDG_STATE_HOME || `${env.HOME ?? "/tmp"}/.local/state`}/ralph`;
}

/** One folder per git directory and project root, both with their links resolved. */
export function openSessionStore(
  system: Pick<System, "files" | "env">,
  place: { gitDir: string; root: string },
): SessionStore {
  const key = createHash("sha256").update(`${place.gitDir}\0${place.root}`).digest("hex");
  const folder = `${stateFolder(system.env)}/${key.slice(0, 16)}`;
  return {
    folder,
    files: system.files(folder),
    session: (id) => system.files(`${folder}/sessions/${id}`),
  };
}

/** Session ids, oldest first: they begin with their start time. */
export async function sessionIds(store: SessionStore): Promise<string[]> {
  const names = await store.files.list("sessions");
  return names.filter((name) => /^\d{8}-\d{6}-[0-9a-f]+$/.test(name));
}

export async function lastSessionId(store: SessionStore): Promise<string | undefined> {
  return (await sessionIds(store)).at(-1);
}

/**
 * The newest session if it has not finished: killed, out of time, or stopped with work left. A folder without a journal
 * is not a session, nor is one that was refused before its first task; a session with a broken journal counts, so that
 * resuming it reports why it cannot continue.
 */
export async function unfinishedSession(store: SessionStore): Promise<string | undefined> {
  for (const id of (await sessionIds(store)).toReversed()) {
    const isDone = await isFinished(store.session(id));
    if (isDone !== undefined) return isDone ? undefined : id;
  }
  return undefined;
}

/** Undefined when there is nothing to resume or to look back at. */
async function isFinished(session: Files): Promise<boolean | undefined> {
  try {
    const replay = await replayJournal(session);
    return replay && !isRefused(replay.state) ? isAllDone(replay.state) : undefined;
  } catch (error) {
    if (error instanceof RalphError) return false;
    throw error;
  }
}

const refusals: readonly StopReason[] = ["config", "source", "git", "claim"];

const isRefused = ({ end, tasks }: SessionState) =>
  end !== undefined &&
  refusals.includes(end.reason) &&
  tasks.every(({ startedAt }) => startedAt === undefined);

/** The history that stays: `keep` sessions, none older than two weeks. `now` in ms since 1970. */
export type Retention = { now: number; keep?: number };

/** The expired sessions: all but the newest, and those older than two weeks. */
export async function oldSessions(
  store: SessionStore,
  { now, keep = keptSessions }: Retention,
): Promise<string[]> {
  const ids = await sessionIds(store);
  const oldest = new Date(now - keptDays * 86_400_000)
    .toISOString()
    .slice(0, 10)
    .replaceAll("-", "");
  return ids.filter((id, index) => index < ids.length - keep || id.slice(0, 8) < oldest);
}

/** A temporary store, removed with the object. Its session can never be resumed; the next command removes it after a crash. */
export async function openScratch(
  system: Pick<System, "files">,
  { folder }: Pick<SessionStore, "folder">,
): Promise<SessionStore & AsyncDisposable> {
  const parent = visibleFolder(folder);
  const name = createScratchName();
  const own = `${parent}/${name}`;
  await system.files(parent).makeFolder(name);
  return {
    folder: own,
    files: system.files(own),
    session: (id) => system.files(`${own}/sessions/${id}`),
    [Symbol.asyncDispose]: async () => {
      await system.files(parent).remove(name);
      leaveVisibleFolder(folder);
    },
  };
}
