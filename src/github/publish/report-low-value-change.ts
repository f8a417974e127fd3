import { renderReport } from "../../views/summary/report-markdown.ts";
import { ignoreForbidden } from "../api/ignore-forbidden.ts";
import type { SessionDraft } from "../publication/prepare-publication.ts";
import type { PublishDeps } from "../publication/publish-deps.ts";
import type { PublishRequest } from "../publication/publish-request.ts";
import { upsertCheckRun } from "../pulls/check-run.ts";

/** Tells why nothing is published: in a line, and as a neutral check run on the commit the session began at. */
export async function reportLowValueChange(
  deps: PublishDeps | undefined,
  { draft, request, why }: { draft: SessionDraft; request: PublishRequest; why: string },
): Promise<void> {
  request.log(`Nothing is published: ${why}, and nobody reviews that. The session keeps it.`);
  if (!deps) return;
  const { state, start } = draft;
  await ignoreForbidden(request, async () => {
    await upsertCheckRun(deps, {
      name: "ralph",
      sessionId: state.session.session_id,
      head: start.commit,
      conclusion: "neutral",
      title: "No pull request: there is nothing to review",
      summary: `Of all the session's commits ${why}.\n\n${renderReport(state)}`,
      annotations: [],
      detailsUrl: request.job?.url,
    });
  });
}
