import { uncommittedRepair } from "../core/state/repairs.ts";
import type { SessionState } from "../core/state/session-state.ts";
import { commandsLeft } from "../core/state/task-list-origin.ts";
import { RalphError } from "../error.ts";
import { isRed } from "../gates/baseline.ts";
import { checkCriteria } from "../gates/criteria.ts";
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
import { undoChanges } from "./loop/collect-changes.ts";
import { gateDeps } from "./loop/gate-deps.ts";
import { record, reportTampering, type SessionContext } from "./loop/session-context.ts";
import { assembleSession, type SessionOptions } from "./open/assemble-session.ts";
import { checkBudget } from "./open/check-agents.ts";
import { openSandbox } from "./open/open-sandbox.ts";
import { reconcileWorktree } from "./open/reconcile-worktree.ts";
import { readCommitConfig } from "./open/start-config.ts";
import { sweepLeftovers } from "./open/sweep-leftovers.ts";
import { checkGates } from "./steps/check-tree.ts";
import { runSetupStep } from "./steps/run-setup-step.ts";

/** Resumes a session (design 4, F01, F08) and trusts nothing it can check; interrupted work is kept. */
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

/** Resuming checks again (design 4): full gates and checkable criteria run on the head. A failure ends the session with exit 4. */
async function recheckHead(session: SessionContext): Promise<void> {
  const { state } = session.journal;
  if (!state.tasks.some(({ state, passedBefore }) => state === "passed" && !passedBefore)) return;
  // The session may continue on another machine, where dependencies are not installed yet.
  if (!(await isSetUp(session))) return;
  const gates = await checkGates(session, state.headTree);
  const failures = [...gates.failures, ...(await failedCriteria(session))];
  await record(session, { type: "recheck_end", commit: state.head, failures });
}

/** False when a setup step failed, which is journaled and ends the session, or when the user cancelled. */
async function isSetUp(session: SessionContext): Promise<boolean> {
  for (const { name } of session.config.setup) {
    await runSetupStep(session, { kind: "setup", name });
    const { setup } = session.journal.state;
    if (session.cancel.aborted || setup.some(isRed)) return false;
  }
  return true;
}

async function failedCriteria(session: SessionContext): Promise<string[]> {
  const { state } = session.journal;
  const tree = state.headTree;
  const failures: string[] = [];
  for (const { task, state: status, passedBefore, base } of state.tasks) {
    if (status !== "passed" || passedBefore || session.cancel.aborted) continue;
    const criteria = task.acceptanceCriteria;
    const results = await checkCriteria(gateDeps(session), { criteria, tree, base });
    const failed = results.filter(({ verdict }) => verdict === "failed");
    failures.push(...failed.map(({ text }) => `${task.id}: ${text}`));
  }
  await undoChanges(session);
  return failures;
}
