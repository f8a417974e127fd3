import { uncommittedRepair } from "../core/state/repairs.ts";
import type { SessionState } from "../core/state/session-state.ts";
import { commandsLeft } from "../core/state/task-list-origin.ts";
import { RalphError } from "../error.ts";
import { readPack } from "../git/commits/bundle.ts";
import { openRepository } from "../git/open/open-repository.ts";
import type { Repository } from "../git/repository/repository.ts";
import { missingObjects } from "../git/trees/objects.ts";
import { excludeSessionFiles, hideSessionDir } from "../git/worktree/session-exclude.ts";
import { type Replay, reopenJournal, replayJournal } from "../journal/journal.ts";
import type { SessionStore } from "../journal/session-store.ts";
import type { System } from "../platform/system.ts";
import { applyOverrides } from "../sources/config-overrides.ts";
import { packFile } from "./bundle/bundled-objects.ts";
import { bookkeepingPaths } from "./loop/bookkeeping.ts";
import { record, reportTampering, type SessionContext } from "./loop/session-context.ts";
import { assembleSession, type SessionOptions } from "./open/assemble-session.ts";
import { checkBudget } from "./open/check-budget.ts";
import { openSandbox } from "./open/open-sandbox.ts";
import { recheckHead } from "./open/recheck-head.ts";
import { reconcileWorktree } from "./open/reconcile-worktree.ts";
import { readCommitConfig } from "./open/start-config.ts";
import { sweepLeftovers } from "./open/sweep-leftovers.ts";

/**
 * Resumes a session (design 4, F01, F08) and trusts nothing it can check: the chain must be intact, commits and trees
 * must exist, interrupted work is kept, the work tree is restored, and gates and criteria run again on the head.
 */
export async function resumeSession(
  system: System,
  place: { root: string; store: SessionStore; sessionId: string },
  options: SessionOptions,
): Promise<SessionContext> {
  const { root, store, sessionId } = place;
  const files = store.session(sessionId);
  const replay = await requireReplay(store, sessionId);
  const { branch } = replay.state.session;
  const { sessionDir } = options;
  const opened = await openRepository(system, { directory: root, stateDir: store.folder, branch });
  const repo = await hideSessionDir(opened, sessionDir);
  await requireObjects(repo, { state: replay.state, folder: files.root });
  const config = applyOverrides(await readConfigOf(repo, replay.state, options), {
    env: system.env,
    flags: options.flags,
  });
  checkBudget(config);
  const documents = bookkeepingPaths(config, replay.state);
  await sweepLeftovers(system, { repo, store, sessionDir, documents });
  await excludeSessionFiles(repo);
  const sandbox = await openSandbox(system, { repo, config, store: store.folder });
  const journal = await reopenJournal({ files, clock: system.clock }, replay);
  const session = await assembleSession({ system, repo, config, store, journal, sandbox, options });
  await reconcileWorktree(session, { sandbox: sandbox.kind, steering: options.steering ?? {} });
  const left = commandsLeft(journal.state);
  const isNews = left !== undefined && !journal.state.warnings.includes(left);
  for (const message of [sandbox.warning, isNews ? left : undefined])
    if (message) await record(session, { type: "warning", message });
  // Recorded after the resumption, which forgets earlier tampering; the session then ends.
  await reportTampering(session);
  if (!journal.state.tampering) await recheckHead(session);
  return session;
}

async function requireReplay(store: SessionStore, id: string): Promise<Replay> {
  const replay = await replayJournal(store.session(id));
  if (replay) return replay;
  throw new RalphError("source", {
    message: `The journal of session ${id} is empty: it was killed before it began.`,
    remedy: "Start a new session with `ralph run`.",
  });
}

/** Requires the commits and trees the journal needs; those this repository lacks are read from the session's pack. */
async function requireObjects(
  repo: Repository,
  { state, folder }: { state: SessionState; folder: string },
): Promise<void> {
  const passed = state.tasks.filter(
    ({ state, passedBefore }) => state === "passed" && !passedBefore,
  );
  const repair = uncommittedRepair(state);
  const needed = [
    state.session.start.commit,
    state.head,
    ...passed.map(({ commit, tree }) => commit ?? tree),
    ...(repair ? [repair.tree] : []),
  ];
  if ((await missingObjects(repo, needed)).length === 0) return;
  const read = await readPack(repo, `${folder}/${packFile}`);
  const missing = await missingObjects(repo, needed);
  if (missing.length === 0) return;
  const because = read.kind === "refused" ? ` (${read.because})` : "";
  throw new RalphError("git", {
    message: `The repository lacks objects that session ${state.session.session_id} needs: ${missing.join(", ")}${because}.`,
    remedy: "Fetch its branch, resume from its bundle, or start a new session with `ralph run`.",
  });
}

async function readConfigOf(
  repo: Repository,
  { session }: SessionState,
  { makeConfig }: SessionOptions,
) {
  const { start, config_path: path } = session;
  const config = await readCommitConfig(repo, { commit: start.commit, path }, makeConfig);
  if (config) return config;
  throw new RalphError("config", {
    message: `The session was started by the action without a configuration; ${path} is not in its start commit.`,
    remedy: "Continue it with the action, or run `ralph init` and start a new session.",
  });
}
