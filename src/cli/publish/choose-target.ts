import { resolve } from "node:path/posix";
import {
  type AutopilotRun,
  readAutopilotRuns,
  readBundledRun,
} from "../../autopilot/run/autopilot-run.ts";
import { finalizeRun, keepWithSession } from "../../autopilot/run/finalize-run.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { replayJournal } from "../../journal/journal.ts";
import { type SessionStore, sessionIds } from "../../journal/session-store.ts";
import type { System } from "../../platform/system.ts";
import { planHead } from "../../schema/autopilot/plan.ts";
import { type LocatedProject, locateProject } from "../../session/open/locate-project.ts";
import type { CommandContext } from "../core/command.ts";

/** The subject of a publication: a session, or an autopilot run whose session has not started. */
export type PublishTarget = SessionTarget | PlanTarget;

interface TargetLocation {
  place: LocatedProject;
  /** Folder of the bundle, absolute. */
  bundle: string;
  /** True for this project's own store, where no agent can write; false for a folder named by the user. */
  isOwn: boolean;
}
export interface SessionTarget extends TargetLocation {
  kind: "session";
  state: SessionState;
  /** The autopilot run it belongs to. */
  run: AutopilotRun | undefined;
}
export interface PlanTarget extends TargetLocation {
  kind: "plan";
  run: AutopilotRun;
}

/** The bundle in the named folder, else the last session of this project, or the document of a later run. */
export async function choosePublishTarget(
  { system, directory }: Pick<CommandContext, "system" | "directory">,
  named: string | undefined,
): Promise<PublishTarget> {
  const place = await locateProject(system, directory);
  const chosen =
    named === undefined
      ? await chooseOwn(system, place)
      : await chooseIn(system, { place, bundle: resolve(directory, named), isOwn: false });
  if (chosen) return chosen;
  throw new RalphError("source", {
    message:
      named === undefined
        ? "This project has no session to publish."
        : `${named} is not a folder with a journal.jsonl.`,
    remedy: "Start one with `ralph run`, or name the folder of a session artifact with `--bundle`.",
  });
}

async function chooseOwn(
  system: System,
  place: LocatedProject,
): Promise<PublishTarget | undefined> {
  const { store } = place;
  const id = await lastWithWork(store);
  const states = await readAutopilotRuns(store);
  const last = states.at(-1);
  if (last && planHead(last) !== undefined && (id === undefined || last.run_id > id)) {
    const sealed = await finalizeRun(system, place, last.run_id);
    if (sealed?.kind === "plan") {
      return { kind: "plan", place, bundle: sealed.folder, isOwn: true, run: sealed.run };
    }
  }
  if (id === undefined) return undefined;
  const bundle = store.session(id).root;
  const replay = await replayJournal(store.session(id));
  const run = states.findLast(({ branch }) => branch === replay?.state.session.branch);
  // A run that was killed, or that `ralph run --resume` continued, left an old record in the session, or none.
  if (replay && run) await keepWithSession(store, { id, run });
  return chooseIn(system, { place, bundle, isOwn: true });
}

/** The newest session, but for those after it that found nothing to do: they would hide its work. */
async function lastWithWork(store: SessionStore): Promise<string | undefined> {
  const ids = (await sessionIds(store)).toReversed();
  for (const id of ids) {
    const replay = await replayJournal(store.session(id));
    if (replay?.state.end?.reason !== "nothing_to_do") return id;
  }
  return ids[0];
}

async function chooseIn(
  system: System,
  common: TargetLocation,
): Promise<PublishTarget | undefined> {
  const files = system.files(common.bundle);
  const [replay, run] = await Promise.all([replayJournal(files), readBundledRun(files)]);
  if (replay) return { kind: "session", ...common, state: replay.state, run };
  return run && { kind: "plan", ...common, run };
}

/** The session that has just ended. */
export async function chooseSessionTarget(context: CommandContext): Promise<SessionTarget> {
  const chosen = await choosePublishTarget(context, undefined);
  if (chosen.kind === "session") return chosen;
  throw new Error("There is a session, and it was not found.");
}
