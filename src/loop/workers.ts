import { RalphError } from "../error.ts";
import { hasSubmodules } from "../git/has-submodules.ts";
import { listPaths } from "../git/list-paths.ts";
import type { Repository } from "../git/repository.ts";
import {
  createSideWorktree,
  forgetSideWorktree,
  hideFromSide,
  moveSideWorktree,
  type Stand,
} from "../git/side-worktree.ts";
import { taskOf } from "../run/run.ts";
import type { Step } from "../run/step.ts";
import type { Files } from "../system/system.ts";
import { isRed } from "../verify/baseline.ts";
import { runGate } from "../verify/gates.ts";
import { linkPackages } from "../verify/link-packages.ts";
import { undoChanges } from "./actions/settle-changes.ts";
import { gateDeps } from "./gate-deps.ts";
import { record, type Session, type Wrap } from "./session.ts";

/** Where the work trees of a session's workers lie, below the store: no part of its bundle. */
export const workersFolder = (sessionId: string) => `workers/${sessionId}`;

/** Steps that belong to the session as a whole, also where a task is named. */
const inProject = new Set<Step["kind"]>(["start-task", "commit"]);

/** The session as it is seen by whoever carries out a step: in the work tree of the worker that has the task. */
export function sessionOf(session: Session, step: Step): Session {
  if (!("task" in step) || inProject.has(step.kind)) return session;
  const { claimed } = taskOf(session.journal.run, step.task);
  return claimed ? asWorker(session, claimed.worker) : session;
}

/** In its sandbox a worker can write to its own work tree only; the project's stands there to be read. */
export function asWorker(main: Session, name: string): Session {
  const repo = main.workers.get(name);
  if (!repo) throw new Error(`${name} has no work tree.`);
  const own = [repo.gitDir, `${repo.worktree}/.git`, main.repo.worktree];
  const wrap: Wrap = (command, place) =>
    main.wrap(command, place.worktree === repo.worktree ? { ...place, guarded: own } : place);
  return { ...main, repo, wrap, worker: { name, main } };
}

/**
 * Brings a worker's work tree to a commit; made and set up when it has none yet. `broken`: a setup step failed there,
 * which is journaled; `stopped`: the user has cancelled.
 */
export async function openWorker(
  session: Session,
  name: string,
  at: Stand,
): Promise<"ready" | "broken" | "stopped"> {
  const known = session.workers.get(name);
  if (known) {
    await moveSideWorktree(known, at);
    return "ready";
  }
  await refuseSubmodules(session.repo);
  const parent = workersFolder(session.journal.run.session.session_id);
  await session.store.makeFolder(parent);
  const folder = `${session.store.root}/${parent}/${name}`;
  session.workers.set(name, await createSideWorktree(session.repo, { folder, at }));
  return setUp(asWorker(session, name), name);
}

/** Their files come from elsewhere, and a work tree of ours would stand there without them. */
async function refuseSubmodules(repo: Repository): Promise<void> {
  if (!(await hasSubmodules(repo))) return;
  throw new RalphError("config", {
    message: "The repository has submodules, and the work trees of workers would not have them.",
    remedy: "Let one task run at a time: leave --parallel and `limits.parallel` at 1.",
  });
}

/** All setup steps, whatever ran elsewhere; without any, the installed Node packages of the project are linked. */
async function setUp(session: Session, name: string): Promise<"ready" | "broken" | "stopped"> {
  if (session.config.setup.length === 0) await linkInstalled(session);
  for (const step of session.config.setup) {
    const result = await runGate(gateDeps(session), step);
    if (session.cancel.aborted) return "stopped";
    await undoChanges(session);
    const { status, ms, output, outputBytes } = result;
    const stored = await session.evidence.put(output, outputBytes);
    const about = { name: step.name, status, ms, output: stored, worker: name };
    await record(session, { type: "setup_end", ...about });
    if (isRed(result)) return "broken";
  }
  return "ready";
}

async function linkInstalled({ system, repo, worker }: Session): Promise<void> {
  const paths = await listPaths(repo);
  const from = worker?.main.repo.root ?? repo.root;
  const links = await linkPackages(system, { from, to: repo.root, paths });
  // A rule such as `node_modules/` speaks of folders only.
  await hideFromSide(repo, links);
}

/** Takes the work trees away: all that was worth keeping is in git. */
export async function closeWorkers({ store, workers, journal }: Session): Promise<void> {
  workers.clear();
  await removeWorkers(store, journal.run.session.session_id);
}

/** Takes away what there is of a session's work trees. Killed halfway, none of them is taken for somebody's work. */
export async function removeWorkers(store: Files, sessionId: string): Promise<void> {
  const folder = workersFolder(sessionId);
  for (const name of await store.list(folder)) await forgetSideWorktree(store, `${folder}/${name}`);
  await store.remove(folder);
}
