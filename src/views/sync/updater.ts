import { apply } from "../../core/state/apply.ts";
import type { RunEvent } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { passedTasks } from "../summary/totals.ts";
import type { AppendView, ReadEvidence, SpliceView, View, ViewInput } from "../view.ts";
import { type ChangeLocked, createDocumentWriter } from "./document-writer.ts";
import { createViewWriter, type ViewFiles } from "./view-writer.ts";

/** Status files that others may read and only ralph may write (specs 004 4.7). */
const guarded = ["task-status.json", "task-status.sha256"];

type UpdaterOptions = {
  views: readonly View[];
  /** Files below the session directory, and below the project root. */
  session: ViewFiles;
  project: ViewFiles;
  /** For documents that other programs write too. */
  changeLocked?: ChangeLocked;
  readEvidence: ReadEvidence;
  given: ViewInput;
  /** Documents that only some sessions have. */
  documents?: (state: SessionState) => readonly SpliceView[];
  /** What such documents say between two passes. */
  live?: (state: SessionState) => readonly SpliceView[];
};

/** Updates every view at a barrier; nothing is flushed (design 2). */
export function createUpdater(options: UpdaterOptions) {
  const { views, session, project, changeLocked, readEvidence, given } = options;
  const renders = views.filter((view) => view.kind === "render");
  const appends = views.filter((view) => view.kind === "append");
  const splices = views.filter((view) => view.kind === "splice");
  const writer = createViewWriter(session, given, guarded);
  const appender = createAppender(session, { views: appends, evidence: readEvidence });
  const writeDocument = createDocumentWriter(project, changeLocked);
  let seen: SessionState | undefined;
  let spliced: string | undefined;
  const replay = async (event: RunEvent) => {
    if (event.seq <= (seen?.seq ?? 0)) return;
    // Folded here, so that each event is shown with the state right after it, however many come at once.
    seen = apply(seen, event);
    await appender.take(event, seen);
  };
  return {
    /**
     * Takes an event of the journal. A session that is opened again passes all of them, in order, before its first update;
     * files that only grow are then rewritten.
     */
    replay,
    /** `fresh`: the events since the last update; known ones are skipped. A second call changes nothing. */
    update: async (state: SessionState, fresh: readonly RunEvent[]): Promise<void> => {
      for (const event of fresh) await replay(event);
      await appender.flush();
      await writer.write(renders, state);
      const passed = passedTasks(state).map(({ task, endedAt }) => `${task.id} ${endedAt}`);
      if (spliced !== passed.join()) {
        const more = options.documents?.(state) ?? [];
        for (const view of [...splices, ...more]) await writeDocument(view, state);
        spliced = passed.join();
      }
      for (const view of options.live?.(state) ?? []) await writeDocument(view, state);
    },
    /** Removes status files that another process has changed, and returns them; the next update restores them (design 5). */
    tampered: writer.tampered,
  };
}

/** Text kept in memory before it is written, UTF-16 units: long sessions replay in bounded memory. */
const maxPending = 1024 * 1024;

/** Writes the files that only grow. The first text of a path replaces what an earlier process wrote. */
export function createAppender(
  files: ViewFiles,
  { views, evidence }: { views: readonly AppendView[]; evidence: ReadEvidence },
) {
  const begun = new Set<string>();
  const pending = new Map<string, string[]>();
  let size = 0;
  const flush = async () => {
    for (const [path, texts] of pending) {
      const text = texts.join("");
      await (begun.has(path) ? appendText(files, path, text) : files.write(path, text));
      begun.add(path);
    }
    pending.clear();
    size = 0;
  };
  return {
    flush,
    take: async (event: RunEvent, state: SessionState) => {
      for (const view of views) {
        const added = await view.append(event, state, evidence);
        if (!added) continue;
        const texts = pending.get(added.path) ?? [];
        texts.push(added.text);
        pending.set(added.path, texts);
        size += added.text.length;
      }
      if (size > maxPending) await flush();
    },
  };
}

async function appendText(files: ViewFiles, path: string, text: string): Promise<void> {
  await using file = await files.openAppend(path);
  await file.append(text);
}
