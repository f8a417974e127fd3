import { basename, dirname } from "node:path/posix";
import type { SessionState } from "../../core/state/session-state.ts";
import type { RenderView, ViewInput } from "../view.ts";

export type Tampered = { path: string; message: string };

export function createViewWriter(
  files: ViewFiles,
  given: ViewInput,
  guarded: readonly string[] = [],
) {
  const written = new Map<string, string>();
  /** Found while the file was written again: an agent may write between a check and the next update. */
  const overwritten: Tampered[] = [];
  const watch = (path: string) => {
    const expected = written.get(path);
    if (expected === undefined || !guarded.includes(path)) return {};
    const replaced = (before: Buffer) => {
      if (!before.equals(Buffer.from(expected)))
        overwritten.push({ path, message: describeChange(path) });
    };
    return { replaced };
  };
  let shown: SessionState | undefined;
  return {
    /** Writes files that have changed since the last call, or are missing. */
    write: async (views: readonly RenderView[], state: SessionState): Promise<void> => {
      const present = await listPresent(files, views);
      const isSame = shown !== undefined && looksSame(shown, state);
      shown = state;
      for (const { path, render } of views) {
        if (isSame && written.has(path) && present.has(path)) continue;
        const text = render(state, given);
        if (text === undefined || (written.get(path) === text && present.has(path))) continue;
        await files.write(path, text, watch(path));
        written.set(path, text);
      }
    },
    /** The guarded files another process has changed since the last call. They are removed; the next write restores them. */
    tampered: async (): Promise<Tampered[]> => {
      const found = overwritten.splice(0);
      for (const path of guarded) {
        const message = await compare(files, path, written.get(path));
        if (message === undefined) continue;
        found.push({ path, message });
        written.delete(path);
        // A link or folder cannot be overwritten.
        await files.remove(path);
      }
      return found;
    },
  };
}

/** The state that a whole file may show (`RenderView`). */
const looksSame = (one: SessionState, other: SessionState) =>
  one.session === other.session && one.tasksAt === other.tasksAt && one.end === other.end;

async function listPresent(files: ViewFiles, views: readonly RenderView[]): Promise<Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const folder of new Set(views.map(({ path }) => dirname(path)))) {
    folders.set(folder, new Set(await files.list(folder)));
  }
  const isPresent = (path: string) => folders.get(dirname(path))?.has(basename(path));
  return new Set(views.flatMap(({ path }) => (isPresent(path) ? path : [])));
}

/** Undefined when the file is unchanged or absent. */
async function compare(files: ViewFiles, path: string, expected: string | undefined) {
  if (expected === undefined) return undefined;
  try {
    const content = await files.read(path);
    if (content === undefined || content.equals(Buffer.from(expected))) return undefined;
    return describeChange(path);
  } catch (error) {
    // A link, a pipe or an endless file in its place cannot be read.
    return `${path} was replaced by another process: ${error instanceof Error ? error.message : error}`;
  }
}

const describeChange = (path: string) =>
  `${path} was changed by another process: it differs from what ralph wrote.`;

/** The file operations that views need below a root. */
export interface ViewFiles {
  read: (path: string) => Promise<Buffer | undefined>;
  /** `backdated`: for files that git tracks; `replaced` receives the old content. See `WriteOptions`. */
  write: (
    path: string,
    content: string | Buffer,
    options?: { backdated?: boolean; replaced?: (before: Buffer) => void },
  ) => Promise<void>;
  openAppend: (path: string) => Promise<AsyncDisposable & { append(text: string): Promise<void> }>;
  remove: (path: string) => Promise<void>;
  list: (path: string) => Promise<string[]>;
}
