import { isUtf8 } from "node:buffer";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { passedTasks } from "../summary/passed-tasks.ts";
import type { SpliceView } from "../view.ts";
import type { ViewFiles } from "./view-writer.ts";

/** What a document held when we left it, and the passes it told by then. */
type Left = { content: Buffer | undefined; told: ReadonlySet<string> };

/** Changes a file in place under lock files that other programs take too; `merge` sees what stands there then. */
export type ChangeLocked = (file: {
  path: string;
  locks: readonly string[];
  inPlace: true;
  merge: (text: string | undefined) => string | undefined;
}) => Promise<unknown>;

/**
 * Brings documents of the repository in step with the tasks that have passed. While nobody else touches a
 * document, only what has passed since is looked at, so that a long list costs no more than a short one.
 */
export function createDocumentWriter(
  files: ViewFiles,
  changeLocked?: ChangeLocked,
): (surface: SpliceView, state: SessionState) => Promise<void> {
  const documents = new Map<string, Left>();
  return async (surface, state) => {
    const path = surface.path(state);
    const content = await files.read(path);
    const left = documents.get(path);
    const known = left && isSame(left.content, content) ? left.told : new Set<string>();
    const tasks = state.tasks.filter((task) => !known.has(passOf(task)));
    const part = { ...state, tasks };
    const next = spliceDocument(surface, content, part);
    const written = next === undefined ? undefined : Buffer.from(next);
    const { lock } = surface;
    if (written && lock && changeLocked) {
      // What another program has written since is kept, and looked at again the next time.
      const merge = (text: string | undefined) => surface.splice(text, part);
      await changeLocked({ path, locks: [lock], inPlace: true, merge });
    } else if (written) await files.write(path, written, { backdated: true });
    documents.set(path, {
      content: written ?? content,
      told: new Set(passedTasks(state).map(passOf)),
    });
  };
}

const passOf = ({ task, endedAt }: TaskState) => `${task.id} ${endedAt}`;

const isSame = (one: Buffer | undefined, other: Buffer | undefined) =>
  one === undefined || other === undefined ? one === other : one.equals(other);

/**
 * The new text of a document, or undefined when it stays as it is. A file that is no UTF-8 is left alone:
 * writing it back as text would change bytes that are not ours.
 */
export function spliceDocument(
  surface: SpliceView,
  content: Uint8Array | undefined,
  state: SessionState,
): string | undefined {
  if (content && !isUtf8(content)) return undefined;
  // `Buffer` keeps a byte order mark, which `TextDecoder` would drop.
  const text = content && Buffer.from(content).toString("utf8");
  const next = surface.splice(text, state);
  return next === text ? undefined : next;
}
