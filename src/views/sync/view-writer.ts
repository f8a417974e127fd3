import { basename, dirname } from "node:path/posix";
import type { SessionState } from "../../core/state/session-state.ts";
import type { RenderView, ViewInput } from "../view.ts";

/** Writes whole files of ours, and remembers what it wrote. */
interface ViewWriter {
  /** Writes what has changed since the last call, or is missing. */
  write: (surfaces: readonly RenderView[], state: SessionState) => Promise<void>;
  /**
   * Which of these paths hold what somebody else put there. It is removed, and the next write puts ours
   * back.
   */
  tampered: (paths: readonly string[]) => Promise<Tampered[]>;
}
export type Tampered = { path: string; message: string };

export function createViewWriter(files: ViewFiles, given: ViewInput): ViewWriter {
  const written = new Map<string, string>();
  let shown: Shown | undefined;
  return {
    write: async (surfaces, state) => {
      const present = await listPresent(files, surfaces);
      const isSame = shown !== undefined && looksSame(shown, state);
      shown = state;
      for (const { path, render } of surfaces) {
        if (isSame && written.has(path) && present.has(path)) continue;
        const text = render(state, given);
        if (text === undefined || (written.get(path) === text && present.has(path))) continue;
        await files.write(path, text);
        written.set(path, text);
      }
    },
    tampered: async (paths) => {
      const found: Tampered[] = [];
      for (const path of paths) {
        const message = await compare(files, path, written.get(path));
        if (message === undefined) continue;
        found.push({ path, message });
        written.delete(path);
        // A link or folder cannot be written over.
        await files.remove(path);
      }
      return found;
    },
  };
}

/** All that a whole file may show of a run (`RenderSurface`). */
type Shown = Pick<SessionState, "session" | "tasksAt" | "end">;

const looksSame = (one: Shown, other: Shown) =>
  one.session === other.session && one.tasksAt === other.tasksAt && one.end === other.end;

async function listPresent(
  files: ViewFiles,
  surfaces: readonly RenderView[],
): Promise<Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const folder of new Set(surfaces.map(({ path }) => dirname(path)))) {
    folders.set(folder, new Set(await files.list(folder)));
  }
  const isPresent = (path: string) => folders.get(dirname(path))?.has(basename(path));
  return new Set(surfaces.flatMap(({ path }) => (isPresent(path) ? path : [])));
}

/** Undefined when the file is ours or absent. */
async function compare(
  files: ViewFiles,
  path: string,
  expected: string | undefined,
): Promise<string | undefined> {
  if (expected === undefined) return undefined;
  try {
    const content = await files.read(path);
    if (content === undefined || content.equals(Buffer.from(expected))) return undefined;
    return `${path} is not what the orchestrator wrote; its status was changed from outside.`;
  } catch (error) {
    // A link, a pipe or an endless file in place of ours cannot be read, and is not ours either.
    return `${path} was replaced from outside: ${error instanceof Error ? error.message : error}`;
  }
}

/** What surfaces need of the files below a root: small whole files and files that grow. */
export interface ViewFiles {
  read: (path: string) => Promise<Buffer | undefined>;
  /** `backdated`: a file git tracks; see `WriteOptions`. */
  write: (
    path: string,
    content: string | Buffer,
    options?: { backdated?: boolean },
  ) => Promise<void>;
  openAppend: (path: string) => Promise<AsyncDisposable & { append(text: string): Promise<void> }>;
  remove: (path: string) => Promise<void>;
  list: (path: string) => Promise<string[]>;
}
