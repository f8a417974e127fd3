import type { System } from "../../platform/system.ts";

/** What GitHub says about the event that started the workflow; null where it says nothing. */
export async function readEvent({ files, env }: Pick<System, "files" | "env">): Promise<unknown> {
  const path = env.GITHUB_EVENT_PATH;
  if (!path?.startsWith("/")) return null;
  return JSON.parse((await files("/").read(path.slice(1)))?.toString() ?? "null");
}
