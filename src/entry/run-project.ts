import type { Planning } from "../core/state/event.ts";
import type { SessionState } from "../core/state/session-state.ts";
import { RalphError } from "../error.ts";
import { locateRepository } from "../git/repository/locate-repository.ts";
import { readUserBranch } from "../git/repository/user-head.ts";
import { replayJournal } from "../journal/journal.ts";
import { lastSessionId, unfinishedSession } from "../journal/session-store.ts";
import type { System } from "../platform/system.ts";
import type { Config } from "../schema/config/config.ts";
import type { RunOptions } from "../schema/config/run-options.ts";
import { beginSession } from "../session/begin-session.ts";
import { importBundle } from "../session/import/import-bundle.ts";
import type { SessionContext } from "../session/loop/session-context.ts";
import { newSessionId } from "../session/loop/session-id.ts";
import type { SteeringSource } from "../session/loop/steer-session.ts";
import type { SessionOptions } from "../session/open/assemble-session.ts";
import { checkAgents, checkBudget, checkParallel } from "../session/open/check-agents.ts";
import { cleanSessions } from "../session/open/clean-sessions.ts";
import { openProject, type Project } from "../session/open/open-project.ts";
import { requireBranches } from "../session/open/require-branches.ts";
import { selectTasks } from "../session/open/select-tasks.ts";
import type { MakeConfig } from "../session/open/start-config.ts";
import { resumeSession } from "../session/resume-session.ts";
import { runTasks } from "../session/run-tasks.ts";
import { applyOverrides } from "../sources/config-overrides.ts";
import { requireNoForeignRun } from "./foreign-runs.ts";
import { chosenSessionDir } from "./locate-session.ts";
import { openDialects, withAbortFile, withDialects } from "./open-dialects.ts";
import { type Live, openViews } from "./open-views.ts";
import { progressFileWarnings } from "./progress-file-warnings.ts";
import { choicesOf } from "./run-options.ts";
import { settleSessions } from "./settle-sessions.ts";
import { takeLock } from "./take-lock.ts";
import { checkPostVerify } from "./verify/check-post-verify.ts";
import { ralphVersion } from "./version.ts";

/** A request to run: the place, the configuration and the options. */
export type RunRequest = {
  directory: string;
  config: string | undefined;
  sessionDir: string | undefined;
  options: RunOptions;
  branch?: string | undefined;
  /** For an entry point that works without a configuration. */
  makeConfig?: MakeConfig;
  /** The cost of the task list before its session. */
  planning?: Planning | undefined;
  steering?: SteeringSource | undefined;
};

export type PlannedSession = { config: Config; project: Project };

/** The branch of a new session, or why none starts. */
export type BranchChoice = { kind: "run"; branch: string } | { kind: "waits"; message: string };

/** Callbacks of the entry point, and its signal to stop the run. */
export type Listener = {
  live: Live;
  /** The configuration is known; the entry point may throw to reject it. */
  checked?: (config: Config, project: Project) => void;
  /** Chooses the branch of a new session that starts on the base branch; undefined: the one the task list names. */
  chooseBranch?: (planned: PlannedSession) => Promise<BranchChoice | undefined>;
  /** The session has its id and its folders; nothing has been spent yet. */
  started: (session: SessionContext) => void;
  cancel: AbortSignal;
};

export type RunOutcome =
  | { kind: "planned"; project: Project; selected: readonly string[]; parallel: number }
  | { kind: "waits"; message: string }
  | { kind: "ended"; project: Project; state: SessionState; session: SessionContext };

/** Checks everything before anything is spent, takes the lock, and runs the loop to its end. The same for every entry point. */
export async function runProject(
  system: System,
  request: RunRequest,
  listener: Listener,
): Promise<RunOutcome> {
  const { options, directory, config: configPath } = request;
  const opened = await openProject(system, {
    directory,
    config: configPath || undefined,
    tasks: options.prdJson,
    cr: options.cr,
    latestCr: options.latestCr,
    makeConfig: request.makeConfig,
  });
  const remarks = await progressFileWarnings(system, opened);
  const config = applyOverrides(opened.config, { env: system.env, flags: options });
  const project = {
    ...opened,
    prd: { ...opened.prd, ...(request.branch && { branchName: request.branch }) },
    // The base branch decides the branch before the start commit is known.
    config: { ...opened.config, git: config.git },
    warnings: [...opened.warnings, ...remarks],
  };
  await checkAgents(system, { config, root: project.root });
  await checkParallel(system, config);
  const repairing = await checkPostVerify(system, { config, root: project.root, choices: options });
  checkBudget(config, repairing);
  listener.checked?.(config, project);
  if (!options.resume) await requireBranches(system, { ...project, config });
  const selected = selectTasks(project.prd.tasks, options);
  const sessionDir = await chosenSessionDir(system, project, request.sessionDir);
  if (options.dryRun) {
    return { kind: "planned", project, selected, parallel: config.limits.parallel };
  }
  const choice = await choose(system, { project, config }, { options, listener });
  if (choice?.kind === "waits") return choice;
  if (choice) project.prd.branchName = choice.branch;
  const sessionId = newSessionId(system, await lastSessionId(project.store));
  const shownId = options.resume === true ? await unfinishedSession(project.store) : sessionId;
  await using _ = await takeLock(system, project.store, shownId ?? sessionId);
  await requireNoForeignRun(system, project, config);
  const settled = options.resume ? undefined : await settleSessions(system, project);
  const setup = sessionOptionsOf(system, {
    ...{ request, listener, project, sessionDir },
    unsettled: settled?.remarks ?? [],
  });
  const session = options.resume
    ? await resume(system, { project, setup, bundle: options.resume })
    : await beginSession(system, project, { ...setup, sessionId });
  listener.started(session);
  // Awaited here, so that the lock is held until the session ends.
  return await finish(system, project, session);
}

/** Only a new session that leaves the base branch has a branch to choose, and only for an open task. */
async function choose(
  system: System,
  { project, config }: PlannedSession,
  { options, listener }: { options: RunOptions; listener: Listener },
): Promise<BranchChoice | undefined> {
  if (!listener.chooseBranch || options.resume || project.prd.tasks.every(({ passes }) => passes))
    return undefined;
  const { gitDir } = await locateRepository(system, project.root);
  const current = await readUserBranch(system.files(gitDir));
  return current === config.git.base_branch
    ? listener.chooseBranch({ config, project })
    : undefined;
}

type SessionSetup = {
  request: RunRequest;
  listener: Listener;
  project: Project;
  sessionDir: string;
  unsettled: readonly string[];
};

function sessionOptionsOf(
  system: System,
  { request, listener, project, sessionDir, unsettled }: SessionSetup,
): SessionOptions {
  const { options } = request;
  const now = system.clock.now();
  const maxRuntime = project.config.limits.max_runtime;
  const stop = new AbortController();
  const files = system.files(project.root);
  return {
    flags: options,
    choices: choicesOf(options, { now, maxRuntime }),
    selection: options,
    versions: { ralph: ralphVersion, node: process.versions.node },
    cancel: AbortSignal.any([listener.cancel, stop.signal]),
    sessionDir,
    makeConfig: request.makeConfig,
    planning: request.planning,
    steering: steeringOf(request),
    beforeStart: async (config, state) => openDialects(system, project, config)?.check(state),
    openViews: async (given) => {
      const emitter = openDialects(system, project, given.config);
      const own = await openViews(system, listener.live, given);
      const { emit } = given.config.compat;
      const settle = async (state: SessionState) => {
        if (!options.resume) return unsettled;
        await emitter?.check(state);
        return (await settleSessions(system, project, { state, emit })).remarks;
      };
      const before = options.resume ? (await replayJournal(given.files))?.state : undefined;
      const views = withDialects(own, emitter, { before, settle });
      return withAbortFile(views, given.config, { files, abort: (reason) => stop.abort(reason) });
    },
  };
}

/** Without comments, a budget given on resume overrides earlier steering commands. */
function steeringOf({ steering, options }: RunRequest): SteeringSource | undefined {
  const { resume, budget } = options;
  if (steering || !resume || budget === undefined) return steering;
  return { orders: [{ verb: "budget", usd: budget, by: "the person who resumed" }] };
}

/** Resumes the newest unfinished session, or the session of a bundle. */
async function resume(
  system: System,
  { project, setup, bundle }: { project: Project; setup: SessionOptions; bundle: string | true },
): Promise<SessionContext> {
  const { store, root } = project;
  const sessionId =
    bundle === true
      ? await unfinishedSession(store)
      : await importBundle(system, { project, bundle, makeConfig: setup.makeConfig });
  if (sessionId) return resumeSession(system, { root, store, sessionId }, setup);
  throw new RalphError("source", {
    message: "There is no unfinished session to resume.",
    remedy: "Start one with `ralph run`.",
  });
}

async function finish(system: System, project: Project, session: SessionContext) {
  await using _ = session.journal;
  const state = await runTasks(session);
  await cleanSessions(system, project, { now: system.clock.now() });
  return { kind: "ended" as const, project, state, session };
}
