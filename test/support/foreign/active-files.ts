import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files in use that still say that a run is active. */
export function activeFiles(root: string): string[] {
  const states = globSync([".omx/state/**/ralph-state.json", ".omc/ralph-state.json"], {
    cwd: root,
  });
  const isActive = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")).active;
  return states.filter(isActive);
}
