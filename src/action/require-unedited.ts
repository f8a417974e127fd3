import * as z from "zod";
import type { Issue } from "../autopilot/issue-report.ts";
import { RalphError } from "../error.ts";
import type { System } from "../system/system.ts";
import { readEvent } from "./event-payload.ts";

const Event = z.object({
  issue: z.object({ number: z.int(), title: z.string(), body: z.string().nullish() }),
});

/**
 * A label says yes to what the issue said then: whoever may edit the issue could put something else in its place until
 * it is read (T05). The text itself is always the API's, never the event's.
 */
export async function requireUnedited(
  system: Pick<System, "files" | "env">,
  { number, title, body }: Issue,
): Promise<void> {
  if (system.env.GITHUB_EVENT_NAME !== "issues") return;
  const labelled = Event.safeParse(await readEvent(system)).data?.issue;
  if (labelled === undefined || labelled.number !== number) return;
  if (labelled.title === title && (labelled.body ?? "") === body) return;
  throw new RalphError("config", {
    message: `Issue ${number} was edited after it was given the label.`,
    remedy: "Read it again; if it is still what you want, remove the label and give it once more.",
  });
}
