import { renderReport } from "../../views/summary/report-markdown.ts";
import { unlessForbidden } from "../api/unless-forbidden.ts";
import type { PublishDeps } from "../publication/publish-deps.ts";
import type { Story } from "../publication/read-story.ts";
import type { SessionWish } from "../publication/session-wish.ts";
import { upsertCheckRun } from "../pulls/check-run.ts";

/** Tells why nothing is published: in a line, and as a neutral check run on the commit the session began at. */
export async function tellUnwanted(
  deps: PublishDeps | undefined,
  { story, wish, why }: { story: Story; wish: SessionWish; why: string },
): Promise<void> {
  wish.tell(`Nothing is published: ${why}, and nobody reviews that. The session keeps it.`);
  if (!deps) return;
  const { run, start } = story;
  await unlessForbidden(wish, async () => {
    await upsertCheckRun(deps, {
      name: "ralph",
      sessionId: run.session.session_id,
      head: start.commit,
      conclusion: "neutral",
      title: "No pull request: there is nothing to review",
      summary: `Of all the session's commits ${why}.\n\n${renderReport(run)}`,
      annotations: [],
      detailsUrl: wish.job?.url,
    });
  });
}
