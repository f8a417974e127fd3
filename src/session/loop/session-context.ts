import type { CallNetwork } from "../../agents/call/call-network.ts";
import type { Homes } from "../../agents/call/open-home.ts";
import type { Policy } from "../../core/decide/policy.ts";
import type { Step } from "../../core/decide/step.ts";
import type { Fact, RunEvent } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import type { GateResult } from "../../gates/gates.ts";
import type { BranchPosition, Repository } from "../../git/repository/repository.ts";
import type { UserGit } from "../../git/worktree/user-git.ts";
import type { Evidence } from "../../journal/evidence.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Files, System } from "../../platform/system.ts";
import type { AgentHome } from "../../sandbox/agent-home.ts";
import type { CagePort } from "../../sandbox/network-cage.ts";
import type { Config } from "../../schema/config/config.ts";
import type { SessionNetwork } from "./session-network.ts";
import type { Turns } from "./turns.ts";

/** Everything a running session needs. Assembled once by `begin` or `resume`; afterwards only the journal changes. */
export interface SessionContext {
  system: System;
  repo: Repository;
  journal: Journal;
  evidence: Evidence;
  views: Views;
  /** From the start commit, like everything that decides (design 4). */
  config: Config;
  policy: Policy;
  redact: (text: string) => string;
  /** The shell of gates, criteria and setup steps. */
  shell: Program;
  /** Wraps an untrusted command in the sandbox; the identity without a sandbox. */
  wrap: Wrap;
  /** Where the home folders of agent calls are made. */
  homes: Homes;
  /** The hosts that programs in the sandbox can reach. */
  network: SessionNetwork;
  /** The effect of `wrap` on this machine. */
  sandbox: SessionState["session"]["sandbox"];
  /** The folder in which agents find the session's files, absolute. */
  sessionDir: string;
  /** Aborted when the user cancels. */
  cancel: AbortSignal;
  /** The session's folder in the store; its bundle is written here. */
  folder: string;
  /** The store: what this machine keeps beyond one session. */
  store: Files;
  turns: Turns;
  /** Whether the start commit has submodules: checkouts lack their files. Work cannot change the answer. */
  hasSubmodules: boolean;
  /** The user's git before the agents' calls under way, which share it: what one puts back is no change of another's. */
  callsOnGit: {
    open: number;
    before: Promise<UserGit> | undefined;
    /** As it was after the last call. */
    known: UserGit | undefined;
  };
  /** Open work trees by worker name; empty when one task runs at a time. */
  workers: Map<string, Repository>;
  /** Set in the context of a worker: `repo` is then its work tree, and `main` the session's context. */
  worker?: { name: string; main: SessionContext };
}

/**
 * `worktree`: the writable folder, which may be another than the session's work tree (the baseline's checkout).
 * `readOnly`: not even that folder is writable. `guarded`: paths that can be read but not changed. `home`: the home
 * folder of an agent's call; without it, the user's own is readable but for credentials. `network`: that of an agent's
 * call in a cage. `ports`: those of services, where the network of gates is closed.
 */
export type Wrap = (
  command: Program,
  place: {
    worktree: string;
    readOnly?: boolean;
    guarded?: readonly string[];
    ports?: readonly CagePort[];
  } & OfCall,
) => Program;
type Program = { file: string; args: readonly string[] };
type OfCall = { home?: AgentHome; network?: Pick<CallNetwork, "socket"> | undefined };

/** The files that people and tools read. `notice` receives every event at once; `update` writes the files, at barriers (design 2). */
export interface Views {
  notice: (event: RunEvent, state: SessionState) => void;
  /** A step starts; the answer is called when it has ended. */
  began?: (step: Step) => () => void;
  update: (state: SessionState) => Promise<void>;
  /** A gate of a verification of the work tree has ended. */
  gateEnded?: (name: string, result: GateResult) => void;
  /** The views that failed since the last call, and why. */
  remarks?: () => readonly string[];
  /** Guarded files that something else has changed since the last update. */
  tampered: () => Promise<{ path: string; message: string }[]>;
  /** Whether the status file that a stopped session had left was checked, and found unchanged. */
  hasVerifiedStatus?: boolean;
}

/** Journals one fact and shows it. `durable` only when something irreversible depends on it (design 2). */
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

/** The position of branch and HEAD according to the journal. */
export const positionOf = ({ state }: Journal): BranchPosition => ({
  branch: state.session.branch,
  commit: state.head,
});

/** Records that something else changed task-status.json or its checksum; the session then ends (design 5). */
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

/** Updates all views; each failure is journaled as a warning, once. */
export async function updateViews(session: SessionContext): Promise<void> {
  const { views, journal, turns, policy } = session;
  const found = await turns.views(async () => {
    // While agents run: a change one of them made would be overwritten unnoticed.
    const tampered = policy.parallel > 1 ? await views.tampered() : [];
    await views.update(journal.state);
    return tampered;
  });
  await recordTampering(session, found);
  for (const message of views.remarks?.() ?? []) {
    if (!journal.state.warnings.includes(message))
      await record(session, { type: "warning", message });
  }
}
