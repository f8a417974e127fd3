import * as z from "zod";
import type { System } from "../system/system.ts";

const Event = z.object({ repository: z.object({ default_branch: z.string().min(1) }) });

/** The repository's default branch, as the event that started the workflow tells it. */
export async function defaultBranch({
  files,
  env,
}: Pick<System, "files" | "env">): Promise<string | undefined> {
  const path = env.GITHUB_EVENT_PATH;
  if (!path?.startsWith("/")) return undefined;
  const text = (await files("/").read(path.slice(1)))?.toString() ?? "null";
  return Event.safeParse(JSON.parse(text)).data?.repository.default_branch;
}
