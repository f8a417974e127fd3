import * as z from "zod";
import type { Issue } from "../../autopilot/reports/issue-report.ts";
import { RalphError } from "../../error.ts";
import { digestOfIssue } from "../../github/issues/issue-text.ts";
import type { System } from "../../platform/system.ts";
import { readEvent } from "../inputs/event-payload.ts";

const Event = z.object({
  issue: z.object({ number: z.int(), title: z.string(), body: z.string().nullish() }),
});

/**
 * A label or a comment says yes to what the issue said then: whoever may edit the issue could put something else in its
 * place until it is read (T05). The text itself is always the API's, never the event's. `digest`: of what it said, where
 * the event is not the one that asked for it.
 */
export async function requireUnedited(
  system: Pick<System, "files" | "env">,
  issue: Issue,
  digest?: string,
): Promise<void> {
  const said = digest ?? (await digestOfEvent(system, issue.number));
  if (said === undefined || said === digestOfIssue(issue)) return;
  const isLabel = digest === undefined && system.env.GITHUB_EVENT_NAME === "issues";
  throw new RalphError("config", {
    message: `Issue ${issue.number} was edited after it was ${isLabel ? "given the label" : "asked for"}.`,
    remedy: `Read it again; if it is still what you want, ${isLabel ? "remove the label and give it once more" : "ask for it once more"}.`,
  });
}

async function digestOfEvent(system: Pick<System, "files" | "env">, number: number) {
  const { GITHUB_EVENT_NAME: event = "" } = system.env;
  if (event !== "issues" && event !== "issue_comment") return undefined;
  const seen = Event.safeParse(await readEvent(system)).data?.issue;
  return seen?.number === number ? digestOfIssue(seen) : undefined;
}
