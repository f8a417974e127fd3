import type { SessionState } from "../../core/state/session-state.ts";
import { leftOutTasks } from "../../core/state/steer.ts";
import { RalphError, stopReasons } from "../../error.ts";
import { lastSessionId } from "../../journal/session-store.ts";
import { newSessionId } from "../../session/open/session-id.ts";
import { type AutopilotRun, readAutopilotRuns } from "./autopilot-run.ts";
import { requireBundledRun } from "./bundled-run.ts";
import { finalizeRun, keepWithSession } from "./finalize-run.ts";
import { bundleFiles, importRun } from "./import-run.ts";
import { workThrough } from "./latest-session.ts";
import { checkProject } from "./open.ts";
import { prepareNew, prepareOld } from "./prepare.ts";
import type {
  AutopilotDeps,
  AutopilotOutcome,
  AutopilotRequest,
  PublishOutcome,
} from "./run-request.ts";
import type { RunStore } from "./run-store.ts";
import type { Prepared } from "./steps.ts";

/**
 * From a report to a finished session: choose the item, name the branch, write the document and the tasks, commit them,
 * and work through them. Each step is on the disk before the next begins; a run that was killed goes on there.
 */
export async function runAutopilot(
  deps: AutopilotDeps,
  request: AutopilotRequest,
): Promise<AutopilotOutcome> {
  const { system, place, tell } = deps;
  await checkProject(deps, request);
  const states = await readAutopilotRuns(place.store);
  const last = states.at(-1);
  const isResume = request.act === "resume";
  if (!isResume && last && !last.completed) {
    tell(`Run ${last.run_id} is not finished; \`ralph autopilot --resume\` goes on with it.`);
  }
  const old = isResume ? unfinished(await chosenRun(deps, request, last)) : undefined;
  const newest = [await lastSessionId(place.store), last?.run_id].filter((id) => id !== undefined);
  const runId = old?.run_id ?? newSessionId(system, newest.toSorted().at(-1));
  const prepared = await prepare(deps, runId, () =>
    old ? goOn(deps, request, old) : prepareNew(deps, request, { runId, states }),
  );
  return prepared.kind === "ready" ? finish(deps, prepared.keeper) : prepared;
}

/** What a bundle says of its run, else the last one of this machine. */
async function chosenRun(
  deps: AutopilotDeps,
  { resume, ...request }: AutopilotRequest,
  last: AutopilotRun | undefined,
): Promise<AutopilotRun | undefined> {
  if (resume === undefined) return last;
  return requireBundledRun(bundleFiles(deps, { ...request, resume }));
}

async function goOn(
  deps: AutopilotDeps,
  { resume, ...request }: AutopilotRequest,
  old: AutopilotRun,
): Promise<Prepared> {
  const taken = resume === undefined ? old : await importRun(deps, { ...request, resume }, old);
  return prepareOld(deps, request, taken);
}

/** Under the project's lock, which the session then takes itself. */
async function prepare(
  deps: AutopilotDeps,
  runId: string,
  act: () => Promise<Prepared>,
): Promise<Prepared> {
  await using _ = await deps.lock(runId);
  return await act();
}

function unfinished(last: AutopilotRun | undefined): AutopilotRun {
  if (last && !last.completed) return last;
  throw new RalphError("source", {
    message: "There is no unfinished autopilot run to resume.",
    remedy: "Start one with `ralph autopilot`.",
  });
}

/** The session, what is published of it, and the record of the end. */
async function finish(deps: AutopilotDeps, keeper: RunStore): Promise<AutopilotOutcome> {
  let state: SessionState | undefined;
  try {
    await keeper.advance({}, "executing");
    state = await workThrough({ store: deps.place.store, ...deps }, keeper.state());
    await finalizeRun(deps.system, deps.place, keeper.state().run_id);
    const reason = state.end?.reason ?? "agent_error";
    const published = await publish(deps, keeper, state);
    await keeper.end({ state, phase: phaseOf(state), pull: pullOf(published) });
    await keepWithSession(deps.place.store, {
      id: state.session.session_id,
      run: keeper.state(),
    });
    return { kind: "ended", run: keeper.state(), state, reason, published };
  } catch (error) {
    await keeper.end({ state, error });
    throw error;
  }
}

/** The one place where a run goes out: whatever has passed, if a pull request is wanted. */
async function publish(
  deps: AutopilotDeps,
  keeper: RunStore,
  state: SessionState,
): Promise<PublishOutcome> {
  if (!state.tasks.some(({ state }) => state === "passed")) {
    return { kind: "left", next: "Nothing has passed, so there is nothing to publish." };
  }
  if (!keeper.state().wishes.pull) return { kind: "left", next: "Look at the commits." };
  await keeper.advance({}, "pushing", state);
  return deps.publish({ run: keeper.state(), state });
}

const pullOf = (published: PublishOutcome) =>
  published.kind === "published"
    ? { pr_created: true, pr_url: published.url }
    : { pr_created: false };

function phaseOf(state: SessionState): "completed" | "aborted" | "failed" {
  const reason = state.end?.reason ?? "agent_error";
  // What people have left out can still be taken up.
  if (stopReasons[reason] === 0) return leftOutTasks(state).length === 0 ? "completed" : "aborted";
  return reason === "cancelled" ? "aborted" : "failed";
}
