import * as z from "zod";
import type { System } from "../../platform/system.ts";
import { readEvent } from "./event-payload.ts";

const Event = z.object({ repository: z.object({ default_branch: z.string().min(1) }) });

/** The repository's default branch, as the event that started the workflow tells it. */
export async function defaultBranch(
  system: Pick<System, "files" | "env">,
): Promise<string | undefined> {
  return Event.safeParse(await readEvent(system)).data?.repository.default_branch;
}
