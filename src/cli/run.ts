import { RalphError, stopReasons } from "../error.ts";
import { lastSessionId, unfinishedSession } from "../journal/store.ts";
import type { Door } from "../loop/assemble-session.ts";
import { beginSession } from "../loop/begin-session.ts";
import { checkAgents } from "../loop/check-agents.ts";
import { checkBudget } from "../loop/check-budget.ts";
import { cleanSessions } from "../loop/clean-sessions.ts";
import { importBundle } from "../loop/import-bundle.ts";
import { openProject, type Project } from "../loop/open-project.ts";
import { resumeSession } from "../loop/resume-session.ts";
import { runTasks } from "../loop/run-tasks.ts";
import { selectTasks } from "../loop/select-tasks.ts";
import type { Session } from "../loop/session.ts";
import { newSessionId } from "../loop/session-id.ts";
import { summarize } from "../surfaces/views/summary.ts";
import { renderSummary } from "../surfaces/views/summary-text.ts";
import { applyOverrides } from "../system/config-overrides.ts";
import type { Action, CommandContext } from "./command.ts";
import { openViews, sessionDirOf } from "./open-views.ts";
import { printPlan } from "./print-plan.ts";
import { choicesOf, flagsOf, type RunOptions, refuseLaterOptions } from "./run-options.ts";
import { takeLock } from "./take-lock.ts";
import { ralphVersion } from "./version.ts";

/** `ralph run`: checks everything before anything is spent, takes the lock, runs the loop, tells the outcome. */
export const run: Action<RunOptions> = async (context, options) => {
  refuseLaterOptions(options);
  const { system, globals, directory, output } = context;
  const project = await openProject(system, {
    directory,
    ...(globals.config && { config: globals.config }),
    ...(options.prdJson && { tasks: options.prdJson }),
  });
  const config = applyOverrides(project.config, {
    env: system.env,
    flags: flagsOf(options, system.env),
  });
  await checkAgents(system, { config, root: project.root });
  checkBudget(config);
  const selected = selectTasks(project.prd.tasks, options);
  if (options.dryRun || system.env.RALPH_DRY_RUN === "1") {
    return printPlan(output, { project, selected });
  }
  const sessionId = newSessionId(system, await lastSessionId(project.store));
  const shownId = options.resume === true ? await unfinishedSession(project.store) : sessionId;
  await using _ = await takeLock(system, project.store, shownId ?? sessionId);
  const door = doorOf(context, project, options);
  const session = options.resume
    ? await resume(context, { project, door, bundle: options.resume })
    : await beginSession(system, project, { ...door, sessionId });
  // Awaited here: the lock is held until the session has come to its end.
  return await finish(context, project, session);
};

function doorOf(context: CommandContext, project: Project, options: RunOptions): Door {
  const { system, output } = context;
  const now = system.clock.now();
  const maxRuntime = project.config.limits.max_runtime;
  return {
    flags: flagsOf(options, system.env),
    choices: choicesOf(options, { now, env: system.env, maxRuntime }),
    selection: options,
    versions: { ralph: ralphVersion, node: process.versions.node },
    cancel: context.signal,
    sessionDir: sessionDirOf(context, project.root),
    openViews: (given) => openViews(system, output, given),
  };
}

/** Goes on with the newest unfinished session, or with one that comes as a bundle. */
async function resume(
  { system }: CommandContext,
  { project, door, bundle }: { project: Project; door: Door; bundle: string | true },
): Promise<Session> {
  const { store, root } = project;
  const sessionId =
    bundle === true
      ? await unfinishedSession(store)
      : await importBundle(system, { project, bundle });
  if (sessionId) return resumeSession(system, { root, store, sessionId }, door);
  throw new RalphError("source", {
    message: "There is no unfinished session to resume.",
    remedy: "Start one with `ralph run`.",
  });
}

async function finish(
  { system, output, signal }: CommandContext,
  project: Project,
  session: Session,
): Promise<number> {
  await using _ = session.journal;
  if (output.level !== "quiet")
    output.progress(`Session ${session.journal.run.session.session_id}`);
  const run = await runTasks(session);
  await cleanSessions(system, project, { now: system.clock.now() });
  const summary = summarize(run);
  const { sessionDir } = session;
  if (output.wantsJson) output.json(summary);
  else output.result(renderSummary(summary, { sessionDir: shown(sessionDir, project.root) }));
  if (signal.aborted) output.progress("Cancelled. Continue with `ralph run --resume`.");
  return stopReasons[run.end?.reason ?? "agent_error"];
}

const shown = (path: string, root: string) =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
