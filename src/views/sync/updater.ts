import { apply } from "../../core/state/apply.ts";
import type { RunEvent } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { passedTasks } from "../summary/passed-tasks.ts";
import type { ReadEvidence, SpliceView, View, ViewInput } from "../view.ts";
import { createAppender } from "./appender.ts";
import { type ChangeLocked, createDocumentWriter } from "./document-writer.ts";
import { createViewWriter, type Tampered, type ViewFiles } from "./view-writer.ts";

/** Brings every surface in step with the run at a barrier; nothing is flushed (design 2). */
export interface Updater {
  /**
   * Takes in an event that is on record already. A session that is opened again hands over all of them, in
   * order, before its first update; files that only grow are then written anew.
   */
  replay: (event: RunEvent) => Promise<void>;
  /** `fresh` are the events since the last update; those seen before are left out. Twice changes nothing. */
  update: (state: SessionState, fresh: readonly RunEvent[]) => Promise<void>;
  /** Status files that held what is not ours; it is gone then, and the next update restores them (design 5). */
  tampered: () => Promise<Tampered[]>;
}

/** Status others may read and nobody but us may write (specs 004 4.7). */
const guarded = ["task-status.json", "task-status.sha256"];

type UpdaterOptions = {
  views: readonly View[];
  /** Files below the session directory, and below the project root. */
  session: ViewFiles;
  project: ViewFiles;
  /** For documents that other programs write to as well. */
  changeLocked?: ChangeLocked;
  readEvidence: ReadEvidence;
  given: ViewInput;
  /** Documents that only some runs have. */
  documents?: (state: SessionState) => readonly SpliceView[];
};

export function createUpdater(options: UpdaterOptions): Updater {
  const { views: surfaces, session, project, changeLocked, readEvidence, given } = options;
  const renders = surfaces.filter((surface) => surface.kind === "render");
  const appends = surfaces.filter((surface) => surface.kind === "append");
  const splices = surfaces.filter((surface) => surface.kind === "splice");
  const views = createViewWriter(session, given);
  const appender = createAppender(session, { surfaces: appends, evidence: readEvidence });
  const writeDocument = createDocumentWriter(project, changeLocked);
  let seen: SessionState | undefined;
  let spliced: string | undefined;
  const replay = async (event: RunEvent) => {
    if (event.seq <= (seen?.seq ?? 0)) return;
    // Folded here, so that each event is told with the state right after it, however many come at once.
    seen = apply(seen, event);
    await appender.take(event, seen);
  };
  return {
    replay,
    update: async (state, fresh) => {
      for (const event of fresh) await replay(event);
      await appender.flush();
      await views.write(renders, state);
      const passed = passedTasks(state).map(({ task, endedAt }) => `${task.id} ${endedAt}`);
      if (spliced === passed.join()) return;
      const more = options.documents?.(state) ?? [];
      for (const surface of [...splices, ...more]) await writeDocument(surface, state);
      spliced = passed.join();
    },
    tampered: () => views.tampered(guarded),
  };
}
