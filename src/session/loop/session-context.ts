import type { Policy } from "../../core/decide/policy.ts";
import type { Fact, RunEvent } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import type { BranchPosition, Repository } from "../../git/repository/repository.ts";
import type { Evidence } from "../../journal/evidence.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Files, System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import type { Turns } from "./turns.ts";

/** All a running session needs. Put together once by `begin` or `resume`, then only the journal changes. */
export interface SessionContext {
  system: System;
  repo: Repository;
  journal: Journal;
  evidence: Evidence;
  views: Views;
  /** From the start commit, like everything that decides (design 4). */
  config: Config;
  policy: Policy;
  /** Lives in memory and in session.json only (design 9.7). */
  token: string;
  redact: (text: string) => string;
  /** The shell of gates, criteria and setup steps. */
  shell: Program;
  /** Wraps an untrusted command into the sandbox; the identity when there is none. */
  wrap: Wrap;
  /** What `wrap` does on this machine. */
  sandbox: SessionState["session"]["sandbox"];
  /** Where agents may look for the session's files, absolute. */
  sessionDir: string;
  /** Aborted when the user cancels. */
  cancel: AbortSignal;
  /** The session's folder in the store; its bundle is written here. */
  folder: string;
  /** What this machine remembers beyond a session. */
  store: Files;
  turns: Turns;
  /** Work trees that are open, by the name of their worker; none where one task runs at a time. */
  workers: Map<string, Repository>;
  /** Set where the session is seen by one of its workers: `repo` is its work tree then, and `main` the session. */
  worker?: { name: string; main: SessionContext };
}

/**
 * `worktree`: another folder than the session's work tree is the writable one (the baseline's checkout). `readOnly`: it
 * is not writable either. `guarded`: stands there to be read, and stays as it is.
 */
export type Wrap = (
  command: Program,
  place: { worktree: string; readOnly?: boolean; guarded?: readonly string[] },
) => Program;
type Program = { file: string; args: readonly string[] };

/**
 * What people and tools read, kept by whoever started the session: the loop knows no surface (design 2).
 * `notice` sees every event at once; `update` brings the files in step, at barriers.
 */
export interface Views {
  notice: (event: RunEvent, state: SessionState) => void;
  update: (state: SessionState) => Promise<void>;
  /** What could not be shown since this was asked last, and why. */
  remarks?: () => readonly string[];
  /** Guarded files that somebody else has changed since the last update. */
  tampered: () => Promise<{ path: string; message: string }[]>;
}

/** Journals one fact and shows it. `durable` only where something irreversible relies on it (design 2). */
export function record(
  { turns, journal, views }: Pick<SessionContext, "turns" | "journal" | "views">,
  fact: Fact,
  options?: { durable: boolean },
): Promise<void> {
  return turns.journal(async () => {
    const event = await journal.append(fact, options);
    views.notice(event, journal.state);
  });
}

/** Where the journal says branch and HEAD are. */
export const positionOf = ({ state }: Journal): BranchPosition => ({
  branch: state.session.branch,
  commit: state.head,
});

/** task-status.json or its checksum changed by anyone but us: recorded; the session will end (design 5). */
export async function reportTampering(session: SessionContext): Promise<void> {
  await recordTampering(session, await session.turns.views(session.views.tampered));
}

async function recordTampering(
  session: SessionContext,
  found: Awaited<ReturnType<Views["tampered"]>>,
): Promise<void> {
  for (const { path, message } of found) {
    await record(session, { type: "tampering", path, message }, { durable: true });
  }
}

/** Brings everything that is shown in step; what could not be is a warning, once. */
export async function updateViews(session: SessionContext): Promise<void> {
  const { views, journal, turns, workers } = session;
  const found = await turns.views(async () => {
    // Beside agents at work: what one of them has changed would be written over, and nobody would know.
    const tampered = workers.size > 0 ? await views.tampered() : [];
    await views.update(journal.state);
    return tampered;
  });
  await recordTampering(session, found);
  for (const message of views.remarks?.() ?? []) {
    if (!journal.state.warnings.includes(message))
      await record(session, { type: "warning", message });
  }
}
