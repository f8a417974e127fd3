import { basename } from "node:path/posix";
import type { ForeignFile, ForeignTree } from "../dialect.ts";
import { importedFolder } from "./paths.ts";
import { planToImport } from "./tasks.ts";

/**
 * A plan that is taken over is archived as it stands: a run that goes on with it writes files of the same names, and its
 * own words and fields are more than a list of tasks can hold. Nothing where that was done before.
 */
export function archiveImportedPlan(tree: ForeignTree): ForeignFile[] {
  const plan = planToImport(tree);
  if (!plan?.queue) return [];
  const { id, queue, retries, progress, agents } = plan;
  const paths = [queue, retries, progress, ...agents].flatMap((found) => found?.path ?? []);
  const copyIn = (folder: string) => `${folder}/${basename(queue.path)}`;
  for (let number = 1; ; number += 1) {
    const folder = importedFolder(id, number);
    const kept = tree.get(copyIn(folder));
    if (kept !== undefined && kept === tree.get(queue.path)) return [];
    if (kept !== undefined) continue;
    return paths.map((path) => ({
      path: `${folder}/${basename(path)}`,
      locks: [],
      text: tree.get(path),
    }));
  }
}
