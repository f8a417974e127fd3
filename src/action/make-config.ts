import * as z from "zod";
import type { MakeConfig } from "../loop/start-config.ts";
import { detectProject } from "../project/detect-project.ts";
import { renderConfig } from "../project/render-config.ts";
import type { System } from "../system/system.ts";

const Event = z.object({ repository: z.object({ default_branch: z.string().min(1) }) });

/** What `ralph init -t auto` would write for a project: the action works without a configuration (design 1). */
export function makeConfigFor(system: Pick<System, "files" | "env">): MakeConfig {
  return async (project) => {
    const baseBranch = (await defaultBranch(system)) ?? "main";
    return renderConfig(await detectProject(project, { baseBranch }));
  };
}

/** As the event that started the workflow tells it. */
async function defaultBranch({ files, env }: Pick<System, "files" | "env">) {
  const path = env.GITHUB_EVENT_PATH;
  if (!path?.startsWith("/")) return undefined;
  const text = (await files("/").read(path.slice(1)))?.toString() ?? "null";
  return Event.safeParse(JSON.parse(text)).data?.repository.default_branch;
}
