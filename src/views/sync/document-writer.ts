import { isUtf8 } from "node:buffer";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { passedTasks } from "../summary/totals.ts";
import type { SpliceView } from "../view.ts";
import type { ViewFiles } from "./view-writer.ts";

type LastUpdate = { content: Buffer | undefined; passes: ReadonlySet<string> };

/** Changes a file in place under lock files that other programs take too; `merge` gets the text read under the locks. */
export type ChangeLocked = (file: {
  path: string;
  locks: readonly string[];
  inPlace: true;
  merge: (text: string | undefined) => string | undefined;
}) => Promise<unknown>;

/**
 * Updates documents of the repository when tasks pass. As long as nothing else changes a document, only tasks that passed
 * since the last update are looked at, so a long list costs no more than a short one.
 */
export function createDocumentWriter(
  files: ViewFiles,
  changeLocked?: ChangeLocked,
): (view: SpliceView, state: SessionState) => Promise<void> {
  const documents = new Map<string, LastUpdate>();
  return async (view, state) => {
    const path = view.path(state);
    const content = await files.read(path);
    const last = documents.get(path);
    const known = last && isSame(last.content, content) ? last.passes : new Set<string>();
    const tasks = state.tasks.filter((task) => !known.has(passOf(task)));
    const part = { ...state, tasks };
    const next = spliceDocument(view, content, part);
    const written = next === undefined ? undefined : Buffer.from(next);
    const { locks } = view;
    if (written && locks && changeLocked) {
      // Text that another program has written meanwhile is kept, and read again at the next update.
      const merge = (text: string | undefined) => view.splice(text, part);
      await changeLocked({ path, locks, inPlace: true, merge });
    } else if (written) await files.write(path, written, { backdated: true });
    documents.set(path, {
      content: written ?? content,
      passes: new Set(passedTasks(state).map(passOf)),
    });
  };
}

const passOf = ({ task, endedAt }: TaskState) => `${task.id} ${endedAt}`;

const isSame = (one: Buffer | undefined, other: Buffer | undefined) =>
  one === undefined || other === undefined ? one === other : one.equals(other);

/** The new text of a document; undefined when it stays. A file that is not UTF-8 is left alone: its bytes would change. */
export function spliceDocument(
  view: SpliceView,
  content: Uint8Array | undefined,
  state: SessionState,
): string | undefined {
  if (content && !isUtf8(content)) return undefined;
  // `Buffer` keeps a byte order mark, which `TextDecoder` would drop.
  const text = content && Buffer.from(content).toString("utf8");
  const next = view.splice(text, state);
  return next === text ? undefined : next;
}
