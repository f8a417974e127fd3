import { isRed } from "../../gates/baseline.ts";
import { type GateResult, runGate } from "../../gates/gates.ts";
import { linkPackages } from "../../gates/link-packages.ts";
import { hideFromSide } from "../../git/open/side-worktree.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { listPaths } from "../../git/trees/list-paths.ts";
import type { SetupStep } from "../../schema/config/gates.ts";
import { undoChanges } from "../loop/collect-changes.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { setupKey } from "./setup-key.ts";

/** For which files each setup step has run last in a work tree. */
const ranFor = new WeakMap<Repository, Map<string, string>>();

/**
 * Makes a worker's work tree ready for the tree it holds: all setup steps at first, later those from the first on whose
 * files (`cache`) are others now. Without any, the installed Node packages of the project are linked. `broken`: a step
 * failed, which is journaled; `stopped`: the user has cancelled.
 */
export async function setUpWorker(
  session: SessionContext,
): Promise<"ready" | "broken" | "stopped"> {
  const isNew = !ranFor.has(session.repo);
  if (isNew && session.config.setup.length === 0) await linkInstalled(session);
  const { end, step, result } = await runSteps(session);
  if (end === "broken") await recordEnd(session, step, result);
  return end;
}

/**
 * The same after others' work has come in. A step that fails then may be the task's to repair: it is told, and the gates
 * decide.
 */
export async function setUpMerged(session: SessionContext, task: string): Promise<void> {
  const { end, step } = await runSteps(session);
  if (end !== "broken") return;
  const message = `Setup step "${step.name}" failed in the work tree of ${session.worker?.name}, where what passed meanwhile has come in; the gates of ${task} decide.`;
  if (session.journal.state.warnings.includes(message)) return;
  await record(session, { type: "warning", message });
}

/** What a task that ended there has installed is not the next one's. */
export function forgetSetUp({ repo, config }: Pick<SessionContext, "repo" | "config">): void {
  const ran = ranFor.get(repo);
  for (const { name, cache } of config.setup) if (cache.length > 0) ran?.delete(name);
}

type Ran =
  | { end: "ready" | "stopped"; step?: undefined; result?: undefined }
  | { end: "broken"; step: SetupStep; result: GateResult };

/** Journals each step that succeeds. */
async function runSteps(session: SessionContext): Promise<Ran> {
  const { repo, config, cancel } = session;
  const ran = ranFor.get(repo) ?? new Map<string, string>();
  ranFor.set(repo, ran);
  let isDue = false;
  for (const step of config.setup) {
    const key = await keyIn(session, step);
    isDue ||= ran.get(step.name) !== key;
    if (!isDue) continue;
    ran.delete(step.name);
    const result = await runGate(gateDeps(session), step);
    if (cancel.aborted) return { end: "stopped" };
    await undoChanges(session);
    if (isRed(result)) return { end: "broken", step, result };
    ran.set(step.name, key);
    await recordEnd(session, step, result);
  }
  return { end: "ready" };
}

/** A step that names no files runs once in each work tree. */
const keyIn = (session: SessionContext, step: SetupStep) =>
  step.cache.length === 0 ? "" : setupKey(session, step);

async function recordEnd(session: SessionContext, { name }: SetupStep, result: GateResult) {
  const { status, ms, output, outputBytes } = result;
  const stored = await session.evidence.put(output, outputBytes);
  const worker = session.worker && { worker: session.worker.name };
  await record(session, { type: "setup_end", name, status, ms, output: stored, ...worker });
}

async function linkInstalled({ system, repo, worker }: SessionContext): Promise<void> {
  const paths = await listPaths(repo);
  const from = worker?.main.repo.root ?? repo.root;
  const links = await linkPackages(system, { from, to: repo.root, paths });
  // A rule such as `node_modules/` speaks of folders only.
  await hideFromSide(repo, links);
}
