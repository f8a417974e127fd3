import type { Step } from "../../core/decide/step.ts";
import { isProofOn } from "../../core/proof/settings.ts";
import { taskOf } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import type { GateResult } from "../../gates/gates.ts";
import {
  createSideWorktree,
  forgetSideWorktree,
  moveSideWorktree,
  type Stand,
} from "../../git/open/side-worktree.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { leaveVisibleFolder, visibleFolder } from "../../platform/fs/visible-folder.ts";
import type { Files, System } from "../../platform/system.ts";
import type { SessionContext, Wrap } from "../loop/session-context.ts";
import { layOutPackages } from "./kept-packages.ts";
import { runSetupSteps, setUpWorker } from "./set-up-worker.ts";

/** The folder of a session's worker trees, below the store; it is not part of the bundle. */
export const workersFolder = (sessionId: string) => `workers/${sessionId}`;

/** Steps that run in the project itself although they name a task. */
const inProject = new Set<Step["kind"]>(["start-task", "commit"]);

/** The context for a step: the session's, or that of the worker that has the task. */
export function contextForStep(session: SessionContext, step: Step): SessionContext {
  if (!("task" in step) || inProject.has(step.kind)) return session;
  const { claimed } = taskOf(session.journal.state, step.task);
  return claimed ? asWorker(session, claimed.worker) : session;
}

/** In the sandbox a worker can write only its own work tree; it can read the project's. */
export function asWorker(main: SessionContext, name: string): SessionContext {
  const repo = main.workers.get(name);
  if (!repo) throw new Error(`${name} has no work tree.`);
  const own = [repo.gitDir, `${repo.worktree}/.git`, main.repo.worktree];
  const wrap: Wrap = (command, place) =>
    main.wrap(command, place.worktree === repo.worktree ? { ...place, guarded: own } : place);
  return { ...main, repo, wrap, worker: { name, main } };
}

/** Moves a worker's work tree to a commit, making it first if necessary, and sets it up. */
export async function openWorker(
  session: SessionContext,
  name: string,
  at: Stand,
): Promise<"ready" | "broken" | "stopped"> {
  await layOut(session, name, at);
  return setUpWorker(asWorker(session, name));
}

async function layOut(session: SessionContext, name: string, at: Stand): Promise<void> {
  const known = session.workers.get(name);
  if (known) return moveSideWorktree(known, at);
  refuseSubmodules(session);
  const parent = workersFolder(session.journal.state.session.session_id);
  await session.store.makeFolder(parent);
  const folder = `${session.store.root}/${parent}/${name}`;
  session.workers.set(name, await createSideWorktree(session.repo, { folder, at }));
}

/** The outcome of an attempt to lay out a proof tree. */
type ProofWorktree =
  | { kind: "ready"; context: SessionContext }
  | { kind: "broken"; context: SessionContext; result: GateResult }
  | { kind: "stopped" };

/** Lays out a tree in a work tree kept for the session, with its setup. Each worker has its own, so their proofs run side by side. */
export async function openProofWorktree(
  session: SessionContext,
  tree: string,
): Promise<ProofWorktree> {
  const main = session.worker?.main ?? session;
  const name = session.worker ? `proof-${session.worker.name}` : "proof";
  await layOut(main, name, { commit: main.journal.state.head, tree });
  const context = asWorker(main, name);
  noteTree(context.repo, tree);
  const failed = main.config.setup.length === 0 && (await layOutPackages(context, tree));
  if (failed) return { kind: "broken", context, result: failed };
  const { end, result } = await runSetupSteps(context);
  return end === "broken" ? { kind: "broken", context, result } : { kind: end, context };
}

/** The files of submodules would be missing in a worker's work tree. */
function refuseSubmodules({ hasSubmodules }: SessionContext): void {
  if (!hasSubmodules) return;
  throw new RalphError("config", {
    message: "The repository has submodules, and the work trees of workers would not have them.",
    remedy: "Run one task at a time: leave --parallel and `limits.parallel` at 1.",
  });
}

/** Removes the work trees; all kept work is in git. */
export async function closeWorkers(session: SessionContext): Promise<void> {
  const { system, store, workers, journal } = session;
  workers.clear();
  await removeWorkers(system, store, journal.state.session.session_id);
}

/** Removes a session's work trees; after a kill halfway, none of them is mistaken for unsaved work. */
export async function removeWorkers(
  system: Pick<System, "files">,
  store: Files,
  sessionId: string,
): Promise<void> {
  const folder = workersFolder(sessionId);
  for (const name of await store.list(folder)) await forgetSideWorktree(store, `${folder}/${name}`);
  await system.files(visibleFolder(store.root)).remove(folder);
  leaveVisibleFolder(`${store.root}/workers`);
  await store.remove(folder);
}

const laidOut = new WeakMap<Repository, string>();

/** From now on the checkout holds this tree. */
const noteTree = (repo: Repository, tree: string): void => void laidOut.set(repo, tree);

/** The tree that was laid out in a checkout last. */
export const treeIn = (repo: Repository): string | undefined => laidOut.get(repo);

/** Where gates and criteria judge a tree: out of reach of agents, or, without any proof and with submodules, the work tree itself. */
export async function openJudgingPlace(
  session: SessionContext,
  tree: string,
): Promise<ProofWorktree> {
  const isAside = isProofOn(session.policy.proof) && !session.hasSubmodules;
  return isAside ? openProofWorktree(session, tree) : { kind: "ready", context: session };
}

/** The result of a gate in a checkout whose setup failed. */
export const brokenSetup = (result: GateResult): GateResult => ({
  ...result,
  status: "not_started",
  detail: `A setup step failed in the checkout in which gates run: ${result.detail}`,
  fingerprints: [],
});
