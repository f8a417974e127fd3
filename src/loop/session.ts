import type { Position, Repository } from "../git/repository.ts";
import type { Evidence } from "../journal/evidence.ts";
import type { Journal } from "../journal/journal.ts";
import type { Config } from "../model/config.ts";
import type { Fact, RunEvent } from "../run/event.ts";
import type { Policy } from "../run/policy.ts";
import type { Run } from "../run/run.ts";
import type { Files, System } from "../system/system.ts";

/** All a running session needs. Put together once by `begin` or `resume`, then only the journal changes. */
export interface Session {
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
  sandbox: Run["session"]["sandbox"];
  /** Where agents may look for the session's files, absolute. */
  sessionDir: string;
  /** Aborted when the user cancels. */
  cancel: AbortSignal;
  /** The session's folder in the store; its bundle is written here. */
  folder: string;
  /** What this machine remembers beyond a session. */
  store: Files;
}

/**
 * `worktree`: another folder than the session's work tree is the writable one (the baseline's checkout). `readOnly`: it
 * is not writable either.
 */
export type Wrap = (command: Program, place: { worktree: string; readOnly?: boolean }) => Program;
type Program = { file: string; args: readonly string[] };

/**
 * What people and tools read, kept by whoever started the session: the loop knows no surface (design 2).
 * `notice` sees every event at once; `update` brings the files in step, at barriers.
 */
export interface Views {
  notice: (event: RunEvent, run: Run) => void;
  update: (run: Run) => Promise<void>;
  /** Guarded files that somebody else has changed since the last update. */
  tampered: () => Promise<{ path: string; message: string }[]>;
}

/** Journals one fact and shows it. `durable` only where something irreversible relies on it (design 2). */
export async function record(
  session: Session,
  fact: Fact,
  options?: { durable: boolean },
): Promise<void> {
  const event = await session.journal.append(fact, options);
  session.views.notice(event, session.journal.run);
}

/** Where the journal says branch and HEAD are. */
export const positionOf = ({ run }: Journal): Position => ({
  branch: run.session.branch,
  commit: run.head,
});

export const updateViews = ({ views, journal }: Session) => views.update(journal.run);
