import { countsOnly } from "../../core/proof/settings.ts";
import type { Planning } from "../../core/state/event.ts";
import type { EvidenceRef } from "../../core/state/measurement.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { gateEnvironment } from "../../gates/gate-environment.ts";
import { findShell } from "../../gates/run-shell.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { hasSubmodules } from "../../git/trees/list-paths.ts";
import { createEvidence, type Evidence } from "../../journal/evidence.ts";
import type { Journal } from "../../journal/journal.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import { createRedactor } from "../../platform/secrets/redact.ts";
import { secretValues } from "../../platform/secrets/secret-values.ts";
import type { Files, System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import type { RunOptions } from "../../schema/config/run-options.ts";
import { spentByOthers } from "../loop/day-spending.ts";
import { type Choices, policyOf } from "../loop/policy-of.ts";
import type { SessionContext, Views } from "../loop/session-context.ts";
import { newToken } from "../loop/session-id.ts";
import type { SteeringSource } from "../loop/steer-session.ts";
import { createTurns } from "../loop/turns.ts";
import type { OpenSandbox } from "./open-sandbox.ts";
import type { Selection } from "./select-tasks.ts";
import type { MakeConfig } from "./start-config.ts";

/** The input of a session from its entry point: the user's choices, and the views, which the loop does not know. */
export interface SessionOptions {
  flags: RunOptions;
  choices: Choices;
  selection: Selection;
  /** Versions of the programs involved, for session_start. */
  versions: Record<string, string>;
  cancel: AbortSignal;
  /** The folder in which the session's files are shown, absolute. */
  sessionDir: string;
  openViews: (given: ViewsInput) => Promise<Views>;
  /** Throws to refuse a new session before anything of it is written. */
  beforeStart?: (config: Config, state: SessionState) => Promise<void>;
  /** Makes the configuration of a project that has none. Without it, a missing configuration is an error. */
  makeConfig?: MakeConfig | undefined;
  /** The cost of planning the task list of a new session. */
  planning?: Planning | undefined;
  /** Steering commands, some of which the session may have journaled already. */
  steering?: SteeringSource | undefined;
}

export interface ViewsInput {
  config: Config;
  projectRoot: string;
  /** The root of git's work tree; the project may be a folder below it. */
  worktree: string;
  sessionDir: string;
  token: string;
  /** The session's folder in the store: a resumed session's events are read from its journal. */
  files: Files;
  readEvidence: (ref: EvidenceRef) => Promise<string>;
  readEvidenceBytes: (ref: EvidenceRef) => Promise<Buffer>;
}

type Parts = {
  system: System;
  repo: Repository;
  store: SessionStore;
  config: Config;
  journal: Journal;
  /** Where evidence is kept, if not in the session's folder. */
  evidence?: Evidence;
  sandbox: OpenSandbox;
  options: SessionOptions;
};

/** Assembles a session: policy from the configuration, a fresh token, and the entry point's views. */
export async function assembleSession(parts: Parts): Promise<SessionContext> {
  const { system, repo, store, config, journal, sandbox, options } = parts;
  const id = journal.state.session.session_id;
  const files = store.session(id);
  const { evidence = createEvidence(files) } = parts;
  const token = newToken(id, system);
  const { sessionDir } = options;
  // Read once: while this session holds the lock, no other session spends anything.
  const others =
    config.limits.budget_usd_per_day === null
      ? undefined
      : await spentByOthers(store, { sessionId: id, now: system.clock.now() });
  const policy = policyOf(config, options.choices, others);
  const [submodules, shell, views] = await Promise.all([
    hasSubmodules(repo, journal.state.session.start.commit),
    findShell(system, { root: repo.root, env: gateEnvironment(system.env, []) }),
    options.openViews({
      config,
      projectRoot: repo.root,
      worktree: repo.worktree,
      sessionDir,
      token,
      files,
      readEvidence: evidence.read,
      readEvidenceBytes: evidence.readBytes,
    }),
  ]);
  return {
    system,
    repo,
    journal,
    evidence,
    views,
    config,
    hasSubmodules: submodules,
    policy: submodules ? { ...policy, proof: countsOnly(policy.proof) } : policy,
    redact: createRedactor([token, ...secretValues(system.env)]),
    shell,
    wrap: sandbox.wrap,
    homes: sandbox.homes,
    network: sandbox.network,
    sandbox: sandbox.kind,
    sessionDir,
    cancel: options.cancel,
    folder: files.root,
    store: store.files,
    turns: createTurns(),
    callsOnGit: { open: 0, before: undefined, known: undefined },
    workers: new Map(),
  };
}

/** The options of a session that selects no tasks, keeps no deadline and has no views but those given. */
export const silentOptions = (
  cancel: AbortSignal,
  sessionDir: string,
  views: Partial<Views> = {},
): SessionOptions => ({
  flags: {},
  choices: { deadlines: [] },
  selection: {},
  versions: {},
  cancel,
  sessionDir,
  openViews: async () => ({
    notice: () => {},
    update: async () => {},
    tampered: async () => [],
    ...views,
  }),
});
