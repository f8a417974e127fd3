import type { System } from "../../platform/system.ts";
import { detectProject } from "../../scaffold/detect/detect-project.ts";
import { renderConfig } from "../../scaffold/write/render-config.ts";
import type { MakeConfig } from "../../session/open/start-config.ts";
import { defaultBranch } from "./event-payload.ts";

/** Makes the configuration that `ralph init -t auto` would write, for a project without one (design 1). */
export function makeConfigFor(system: Pick<System, "files" | "env">): MakeConfig {
  return async (project) => {
    const baseBranch = (await defaultBranch(system)) ?? "main";
    return renderConfig(await detectProject(project, { baseBranch }));
  };
}
