import type { RunEvent } from "../core/state/event.ts";
import type { SessionState } from "../core/state/session-state.ts";
import { dialectDocuments, liveDocuments } from "../dialects/dialects.ts";
import { replayJournal } from "../journal/journal.ts";
import { openOwnFiles } from "../platform/fs/own-files.ts";
import { updateLocked } from "../platform/locks/file-locks.ts";
import { createTurn } from "../platform/locks/in-turn.ts";
import { runsInCi } from "../platform/runs-in-ci.ts";
import type { System } from "../platform/system.ts";
import type { Views } from "../session/loop/session-context.ts";
import type { ViewsInput } from "../session/open/assemble-session.ts";
import { artifactsOf, isShown } from "../views/session-files/artifacts.ts";
import { createUpdater } from "../views/sync/updater.ts";
import { createViews } from "../views/views.ts";
import { checkLeftStatus, sessionFiles } from "./session-files.ts";
import { writeArtifacts } from "./verify/write-artifacts.ts";

/** The output of an entry point while a session runs. */
export interface Live {
  event: (event: RunEvent, state: SessionState) => void;
  /** A step starts; the answer is called when it has ended. */
  began?: NonNullable<Views["began"]>;
}

/** The views of a session, the same for every entry point: files for tools, and `live` for each event. */
export async function openViews(
  system: Pick<System, "files" | "env">,
  live: Live,
  given: ViewsInput,
): Promise<Views> {
  // It lies where agents write.
  const session = openOwnFiles(system, given.worktree, given.sessionDir);
  const known = await replayJournal(given.files);
  const left = known ? await checkLeftStatus(session, known.state) : undefined;
  const changed = left?.kind === "changed" ? [left] : [];
  // A new session starts without the files of the last one (design 4).
  await Promise.all(sessionFiles.map((name) => session.remove(name)));
  const project = system.files(given.projectRoot);
  const updater = createUpdater({
    views: createViews({
      progress: given.config.autopilot.memory.progress,
      learnings: given.config.memory.learnings,
    }),
    session,
    project,
    changeLocked: (file) => updateLocked(project, [file]),
    documents: (state) => dialectDocuments(given.config, state),
    // In CI no one looks at the work tree, and the next run needs it clean.
    ...(!runsInCi(system.env) && { live: (state) => liveDocuments(given.config, state) }),
    readEvidence: given.readEvidence,
    given: { token: given.token },
  });
  // A process id must be there while its service runs, so artifacts do not wait for an update.
  const inTurn = createTurn();
  const showArtifacts = (event: RunEvent, state: SessionState) => {
    if (!isShown(event)) return Promise.resolve();
    const artifacts = artifactsOf(event, state.verification?.pictures ?? 0);
    return inTurn(() => writeArtifacts(session, artifacts, given.readEvidenceBytes));
  };
  await replayJournal(given.files, async (event, state) => {
    await updater.replay(event);
    await showArtifacts(event, state);
  });
  const fresh: RunEvent[] = [];
  return {
    notice: (event, state) => {
      fresh.push(event);
      live.event(event, state);
      void showArtifacts(event, state).catch(() => undefined);
    },
    ...(live.began && { began: live.began }),
    update: async (state) => {
      await inTurn(async () => {});
      await updater.update(state, fresh.splice(0));
    },
    tampered: async () => [...changed.splice(0), ...(await updater.tampered())],
    hasVerifiedStatus: left?.kind === "verified",
  };
}
