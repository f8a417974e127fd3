import { writePack } from "../../git/commits/bundle.ts";
import { replayJournal } from "../../journal/journal.ts";
import { type SessionStore, sessionIds } from "../../journal/session-store.ts";
import type { System } from "../../platform/system.ts";
import { planHead } from "../../schema/autopilot/plan.ts";
import { packFile } from "../../session/bundle/bundled-objects.ts";
import { planFile } from "../../session/bundle/bundled-plan.ts";
import { packSession } from "../../session/bundle/finalize-bundle.ts";
import type { LocatedProject } from "../../session/open/locate-project.ts";
import { openSide } from "../../session/open/open-side.ts";
import {
  type AutopilotRun,
  readAutopilotRuns,
  renderAutopilotRun,
  runFolder,
} from "./autopilot-run.ts";

/** A folder that holds all a run has so far; `plan`: it has no session yet. */
export interface FinalizedRun {
  kind: "session" | "plan";
  /** Absolute. */
  folder: string;
  state: AutopilotRun;
}

/**
 * Makes a whole bundle of an autopilot run (default: the newest), also after a kill: its session's folder with the run's state and every
 * commit since the base branch, or the run's own folder while it has no session. Undefined: there is no run.
 */
export async function finalizeRun(
  system: System,
  place: LocatedProject,
  runId?: string,
): Promise<FinalizedRun | undefined> {
  const states = await readAutopilotRuns(place.store);
  const state = states.findLast(({ run_id }) => run_id === (runId ?? run_id));
  if (!state) return undefined;
  const id = await newestSession(place.store, state);
  if (id === undefined)
    return { kind: "plan", folder: await packPlan(system, place, state), state };
  const folder = place.store.session(id).root;
  await keepWithSession(place.store, { id, state });
  await packSession(system, { directory: place.root, folder });
  return { kind: "session", folder, state };
}

/** Puts a run's state into the folder of its session, from where it is published. */
export async function keepWithSession(
  store: SessionStore,
  { id, state }: { id: string; state: AutopilotRun },
): Promise<void> {
  await store.session(id).write(planFile, renderAutopilotRun(state), { durable: true });
}

/** The newest session on a run's branch. */
async function newestSession(
  store: SessionStore,
  { branch }: AutopilotRun,
): Promise<string | undefined> {
  for (const id of (await sessionIds(store)).toReversed()) {
    const replay = branch === undefined ? undefined : await replayJournal(store.session(id));
    if (replay?.run.session.branch === branch) return id;
  }
  return undefined;
}

async function packPlan(
  system: System,
  place: LocatedProject,
  state: AutopilotRun,
): Promise<string> {
  const folder = `${place.store.folder}/${runFolder(state.run_id)}`;
  const head = planHead(state);
  if (head === undefined) return folder;
  await using repo = await openSide(system, place);
  const objects = { commits: [head], trees: [], exclude: state.base };
  await writePack(repo, { file: `${folder}/${packFile}`, ...objects });
  return folder;
}
