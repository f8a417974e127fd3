import type { System } from "../../platform/system.ts";
import { detectProject } from "../../scaffold/detect/detect-project.ts";
import { renderConfig } from "../../scaffold/write/render-config.ts";
import type { MakeConfig } from "../../session/open/start-config.ts";
import { defaultBranch } from "./default-branch.ts";

/** What `ralph init -t auto` would write for a project: the action works without a configuration (design 1). */
export function makeConfigFor(system: Pick<System, "files" | "env">): MakeConfig {
  return async (project) => {
    const baseBranch = (await defaultBranch(system)) ?? "main";
    return renderConfig(await detectProject(project, { baseBranch }));
  };
}
