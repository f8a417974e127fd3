import { writePack } from "../../git/commits/bundle.ts";
import { replayJournal } from "../../journal/journal.ts";
import { type SessionStore, sessionIds } from "../../journal/session-store.ts";
import type { System } from "../../platform/system.ts";
import { planHead } from "../../schema/autopilot/plan.ts";
import { packFile, packSession, planFile } from "../../session/bundle/bundled-objects.ts";
import { type LocatedProject, openSide } from "../../session/open/locate-project.ts";
import {
  type AutopilotRun,
  readAutopilotRuns,
  renderAutopilotRun,
  runFolder,
} from "./autopilot-run.ts";

/** A folder that holds everything a run has so far; `plan`: it has no session yet. */
export interface FinalizedRun {
  kind: "session" | "plan";
  folder: string;
  run: AutopilotRun;
}

/**
 * Completes the bundle of an autopilot run (default: the newest), even after a kill: the folder of its session with the
 * run's state and every commit since the base commit, or the run's own folder without a session. Undefined without a run.
 */
export async function finalizeRun(
  system: System,
  place: LocatedProject,
  runId?: string,
): Promise<FinalizedRun | undefined> {
  const runs = await readAutopilotRuns(place.store);
  const run = runs.findLast(({ run_id }) => run_id === (runId ?? run_id));
  if (!run) return undefined;
  const id = await newestSession(place.store, run);
  if (id === undefined) return { kind: "plan", folder: await packPlan(system, place, run), run };
  const folder = place.store.session(id).root;
  await keepWithSession(place.store, { id, run });
  await packSession(system, { directory: place.root, folder });
  return { kind: "session", folder, run };
}

/** Copies a run's state into the folder of its session, from which it is published. */
export async function keepWithSession(
  store: SessionStore,
  { id, run }: { id: string; run: AutopilotRun },
): Promise<void> {
  await store.session(id).write(planFile, renderAutopilotRun(run), { durable: true });
}

/** The newest session on a run's branch. */
async function newestSession(
  store: SessionStore,
  { branch }: AutopilotRun,
): Promise<string | undefined> {
  for (const id of (await sessionIds(store)).toReversed()) {
    const replay = branch === undefined ? undefined : await replayJournal(store.session(id));
    if (replay?.state.session.branch === branch) return id;
  }
  return undefined;
}

async function packPlan(system: System, place: LocatedProject, run: AutopilotRun): Promise<string> {
  const folder = `${place.store.folder}/${runFolder(run.run_id)}`;
  const head = planHead(run);
  if (head === undefined) return folder;
  await using repo = await openSide(system, place);
  const objects = { commits: [head], trees: [], exclude: run.base };
  await writePack(repo, { file: `${folder}/${packFile}`, ...objects });
  return folder;
}
