import type { Run, TaskRun } from "../run/run.ts";
import { passedTasks } from "./passed-tasks.ts";
import { spliceDocument } from "./splice-document.ts";
import type { SpliceSurface } from "./surface.ts";
import type { ViewFiles } from "./view-files.ts";

/** What a document held when we left it, and the passes it told by then. */
type Left = { content: Buffer | undefined; told: ReadonlySet<string> };

/**
 * Brings documents of the repository in step with the tasks that have passed. While nobody else touches a
 * document, only what has passed since is looked at, so that a long list costs no more than a short one.
 */
export function createDocumentWriter(
  files: ViewFiles,
): (surface: SpliceSurface, run: Run) => Promise<void> {
  const documents = new Map<string, Left>();
  return async (surface, run) => {
    const path = surface.path(run);
    const content = await files.read(path);
    const left = documents.get(path);
    const known = left && isSame(left.content, content) ? left.told : new Set<string>();
    const tasks = run.tasks.filter((task) => !known.has(passOf(task)));
    const next = spliceDocument(surface, content, { ...run, tasks });
    const written = next === undefined ? undefined : Buffer.from(next);
    if (written) await files.write(path, written, { backdated: true });
    documents.set(path, {
      content: written ?? content,
      told: new Set(passedTasks(run).map(passOf)),
    });
  };
}

const passOf = ({ task, endedAt }: TaskRun) => `${task.id} ${endedAt}`;

const isSame = (one: Buffer | undefined, other: Buffer | undefined) =>
  one === undefined || other === undefined ? one === other : one.equals(other);
