import { resolve } from "node:path/posix";
import type { SessionState } from "../../core/state/session-state.ts";
import { leftOutTasks } from "../../core/state/steer.ts";
import { RalphError, stopReasons } from "../../error.ts";
import { lastSessionId } from "../../journal/session-store.ts";
import { newSessionId } from "../../session/loop/session-id.ts";
import { type AutopilotRun, readAutopilotRuns, requireBundledRun } from "./autopilot-run.ts";
import { finalizeRun, keepWithSession } from "./finalize-run.ts";
import { importRun } from "./import-run.ts";
import { workThrough } from "./latest-session.ts";
import { checkProject } from "./open.ts";
import { prepareNew, prepareResumed } from "./prepare.ts";
import type {
  AutopilotDeps,
  AutopilotOutcome,
  AutopilotRequest,
  PublishOutcome,
} from "./run-request.ts";
import type { RunStore } from "./run-store.ts";
import type { PreparedRun } from "./steps.ts";

/**
 * From a report to a finished session: chooses the item, names the branch, writes the document and the tasks, commits
 * them, and works through them. Each step is on the disk before the next one begins; a killed run resumes there.
 */
export async function runAutopilot(
  deps: AutopilotDeps,
  request: AutopilotRequest,
): Promise<AutopilotOutcome> {
  const { system, place, log } = deps;
  await checkProject(deps, request);
  const runs = await readAutopilotRuns(place.store);
  const last = runs.at(-1);
  const isResume = request.act === "resume";
  if (!isResume && last && !last.completed) {
    log(`Run ${last.run_id} is not finished; resume it with \`ralph autopilot --resume\`.`);
  }
  const folder = request.resume;
  const bundle = folder === undefined ? undefined : system.files(resolve(place.root, folder));
  const resumed = bundle ? await requireBundledRun(bundle) : last;
  const old = isResume ? requireUnfinished(resumed) : undefined;
  const newest = [await lastSessionId(place.store), last?.run_id].filter((id) => id !== undefined);
  const runId = old?.run_id ?? newSessionId(system, newest.toSorted().at(-1));
  const prepared = await prepare(deps, runId, async () => {
    if (!old) return prepareNew(deps, request, { runId, runs });
    const run = bundle ? await importRun(deps, request, { bundle, run: old }) : old;
    return prepareResumed(deps, request, run);
  });
  return prepared.kind === "ready" ? finish(deps, prepared.runStore) : prepared;
}

/** Plans a run under the project's lock, which the session then takes itself. */
async function prepare(
  deps: AutopilotDeps,
  runId: string,
  act: () => Promise<PreparedRun>,
): Promise<PreparedRun> {
  await using _ = await deps.lock(runId);
  return await act();
}

function requireUnfinished(last: AutopilotRun | undefined): AutopilotRun {
  if (last && !last.completed) return last;
  throw new RalphError("source", {
    message: "There is no unfinished autopilot run to resume.",
    remedy: "Start one with `ralph autopilot`.",
  });
}

/** Runs the session, publishes its result, and writes the final record. */
async function finish(deps: AutopilotDeps, runStore: RunStore): Promise<AutopilotOutcome> {
  let state: SessionState | undefined;
  try {
    await runStore.advance({}, "executing");
    state = await workThrough({ store: deps.place.store, ...deps }, runStore.state());
    await finalizeRun(deps.system, deps.place, runStore.state().run_id);
    const reason = state.end?.reason ?? "agent_error";
    const published = await publish(deps, runStore, state);
    const isPublished = published.kind === "published";
    const pull = { pr_created: isPublished, ...(isPublished && { pr_url: published.url }) };
    await runStore.end({ state, phase: phaseOf(state), pull });
    await keepWithSession(deps.place.store, {
      id: state.session.session_id,
      run: runStore.state(),
    });
    return { kind: "ended", run: runStore.state(), state, reason, published };
  } catch (error) {
    await runStore.end({ state, error });
    throw error;
  }
}

/** Publishes the passed tasks if the run wants a pull request. Nothing else of a run is published. */
async function publish(
  deps: AutopilotDeps,
  runStore: RunStore,
  state: SessionState,
): Promise<PublishOutcome> {
  if (!state.tasks.some(({ state }) => state === "passed")) {
    return { kind: "left", next: "Nothing has passed, so there is nothing to publish." };
  }
  if (!runStore.state().requested.pull) return { kind: "left", next: "Look at the commits." };
  await runStore.advance({}, "pushing", state);
  return deps.publish({ run: runStore.state(), state });
}

function phaseOf(state: SessionState): "completed" | "aborted" | "failed" {
  const reason = state.end?.reason ?? "agent_error";
  // A task that people left out can still be taken up.
  if (stopReasons[reason] === 0) return leftOutTasks(state).length === 0 ? "completed" : "aborted";
  return reason === "cancelled" ? "aborted" : "failed";
}
