import { createHash } from "node:crypto";
import { join } from "node:path/posix";
import { RalphError } from "../../error.ts";
import { isRed } from "../../gates/baseline.ts";
import { type GateResult, runGate } from "../../gates/gates.ts";
import { linkPackages } from "../../gates/link-packages.ts";
import { hideFromSide } from "../../git/open/side-worktree.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { listPaths } from "../../git/trees/list-paths.ts";
import type { System } from "../../platform/system.ts";
import type { SetupStep } from "../../schema/config/gates.ts";
import { undoChanges } from "../loop/collect-changes.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import { record, type SessionContext } from "../loop/session-context.ts";

/** The key of each setup step's last run in a work tree. */
const ranFor = new WeakMap<Repository, Map<string, string>>();

/**
 * Prepares a worker's work tree for its tree. A new one runs all setup steps; later it runs the first step whose `cache`
 * files have changed, and those after it. Without setup steps, the project's installed Node packages are linked.
 * `broken`: a step failed, which is journaled; `stopped`: the user cancelled.
 */
export async function setUpWorker(
  session: SessionContext,
): Promise<"ready" | "broken" | "stopped"> {
  const isNew = !ranFor.has(session.repo);
  if (isNew && session.config.setup.length === 0) await linkInstalled(session);
  const { end, step, result } = await runSetupSteps(session);
  if (end === "broken") await recordSetup(session, step.name, result);
  return end;
}

/** The same after a merge. The task may have to repair what fails then, so it becomes a warning, and the gates decide. */
export async function setUpMerged(session: SessionContext, task: string): Promise<void> {
  const { end, step } = await runSetupSteps(session);
  if (end !== "broken") return;
  const message = `Setup step "${step.name}" failed in the work tree of ${session.worker?.name}, after a merge with what passed in the meantime; the gates of ${task} decide.`;
  if (session.journal.state.warnings.includes(message)) return;
  await record(session, { type: "warning", message });
}

/** Makes cached setup steps, or all of them, run again, because something else may be installed by now. */
export function forgetSetUp(
  { repo, config }: Pick<SessionContext, "repo" | "config">,
  { all = false } = {},
): void {
  const ran = ranFor.get(repo);
  for (const { name, cache } of config.setup) if (all || cache.length > 0) ran?.delete(name);
}

type Ran =
  | { end: "ready" | "stopped"; step?: undefined; result?: undefined }
  | { end: "broken"; step: SetupStep; result: GateResult };

/** Runs the setup as far as it is due and journals each step that succeeds. The caller decides about a failure. */
export async function runSetupSteps(session: SessionContext): Promise<Ran> {
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
    await recordSetup(session, step.name, result);
  }
  return { end: "ready" };
}

/** A step that names no files runs once in each work tree. */
const keyIn = (session: SessionContext, step: SetupStep) =>
  step.cache.length === 0 ? "" : setupKey(session, step);

type Ended = Pick<GateResult, "status" | "ms" | "output" | "outputBytes">;

/** Journals the end of a setup step. */
export async function recordSetup(session: SessionContext, name: string, result: Ended) {
  const { status, ms, output, outputBytes } = result;
  const stored = await session.evidence.put(output, outputBytes);
  const worker = session.worker && { worker: session.worker.name };
  await record(session, { type: "setup_end", name, status, ms, output: stored, ...worker });
}

async function linkInstalled({ system, repo, worker }: SessionContext): Promise<void> {
  const paths = await listPaths(repo);
  const from = worker?.main.repo.root ?? repo.root;
  const links = await linkPackages(system, { from, to: repo.root, paths });
  // An ignore rule such as `node_modules/` matches folders, not links.
  await hideFromSide(repo, links);
}

type SetupPlace = {
  system: Pick<System, "files">;
  repo: Pick<Repository, "worktree" | "prefix">;
  journal: { state: { headTree: string } };
};

/** Identifies a setup step's result by its command and its `cache` files, or the whole tree. Exit 1 for a file outside of the repository. */
export async function setupKey(
  { system, repo, journal }: SetupPlace,
  step: Pick<SetupStep, "name" | "cmd" | "cache">,
): Promise<string> {
  const files = system.files(repo.worktree);
  const contents = await Promise.all(
    step.cache.map((path) => files.read(insideOf(repo, path, step.name))),
  );
  const hash = createHash("sha256").update(JSON.stringify([step.name, step.cmd]));
  if (step.cache.length === 0) hash.update(journal.state.headTree);
  for (const content of contents) hash.update("\0").update(content ?? "");
  return hash.digest("hex");
}

function insideOf({ prefix }: SetupPlace["repo"], path: string, step: string): string {
  const inside = join(prefix, path);
  if (!inside.startsWith("../")) return inside;
  throw new RalphError("config", {
    message: `The setup step ${step} names ${path} in its cache list, and that is outside the repository.`,
    remedy: "Name files of the repository in `cache`.",
  });
}
