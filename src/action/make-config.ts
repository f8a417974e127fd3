import type { MakeConfig } from "../loop/start-config.ts";
import { detectProject } from "../project/detect-project.ts";
import { renderConfig } from "../project/render-config.ts";
import type { System } from "../system/system.ts";
import { defaultBranch } from "./default-branch.ts";

/** What `ralph init -t auto` would write for a project: the action works without a configuration (design 1). */
export function makeConfigFor(system: Pick<System, "files" | "env">): MakeConfig {
  return async (project) => {
    const baseBranch = (await defaultBranch(system)) ?? "main";
    return renderConfig(await detectProject(project, { baseBranch }));
  };
}
