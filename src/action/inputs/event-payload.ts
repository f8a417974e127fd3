import * as z from "zod";
import type { System } from "../../platform/system.ts";

/** The payload of the event that started the workflow; null without one. */
export async function readEvent({ files, env }: Pick<System, "files" | "env">): Promise<unknown> {
  const path = env.GITHUB_EVENT_PATH;
  if (!path?.startsWith("/")) return null;
  return JSON.parse((await files("/").read(path.slice(1)))?.toString() ?? "null");
}

const RepositoryEvent = z.object({
  repository: z.object({ default_branch: z.string().min(1) }),
});

/** The repository's default branch, if the event names it. */
export async function defaultBranch(
  system: Pick<System, "files" | "env">,
): Promise<string | undefined> {
  const event = RepositoryEvent.safeParse(await readEvent(system));
  return event.data?.repository.default_branch;
}
