import type { SessionState } from "../../core/state/session-state.ts";
import { takeLock } from "../../entry/take-lock.ts";
import { stopReasons } from "../../error.ts";
import {
  previewPlan,
  previewSession,
  publishPlan,
  publishSession,
} from "../../github/publish/publisher.ts";
import { newSessionId } from "../../session/open/session-id.ts";
import type { Action, CommandContext } from "../core/command.ts";
import {
  choosePublishTarget,
  type PlanTarget,
  type PublishTarget,
  type SessionTarget,
} from "./choose-target.ts";
import { type PublishStage, planPublishRequestFor, publishRequestFor } from "./publish-request.ts";
import {
  planPreviewJson,
  previewJson,
  publishedJson,
  renderPlanPreview,
  renderPreview,
} from "./publish-text.ts";

export type PublishOptions = { bundle?: string; dryRun?: boolean; pr?: boolean };

/** Publishes what is chosen, or shows what that would be. */
export const performPublish: Action<PublishOptions> = async (context, options) => {
  const chosen = await choosePublishTarget(context, options.bundle);
  if (options.dryRun) return preview(context, chosen);
  const reach = options.pr === false ? "push" : "pull";
  const { store } = chosen.place;
  // A session that begins meanwhile would move the branch that is published.
  await using _ = chosen.isOwn
    ? await takeLock(context.system, store, newSessionId(context.system))
    : undefined;
  return chosen.kind === "session"
    ? await publishWork(context, chosen, reach)
    : await publishDocument(context, chosen, reach);
};

async function preview(context: CommandContext, chosen: PublishTarget): Promise<number> {
  const { system, output } = context;
  if (chosen.kind === "plan") {
    const wish = await planPublishRequestFor(context, chosen, "look");
    const story = await previewPlan(system, wish);
    if (output.wantsJson) output.json(planPreviewJson(story, wish));
    else output.result(renderPlanPreview(story, wish));
    return stopReasons.all_done;
  }
  const wish = await publishRequestFor(context, chosen, "look");
  const story = await previewSession(system, wish);
  if (output.wantsJson) output.json(previewJson(story, wish));
  else output.result(renderPreview(story, wish));
  return stopReasons.all_done;
}

async function publishWork(
  context: CommandContext,
  chosen: SessionTarget,
  reach: PublishStage,
): Promise<number> {
  const { system, output } = context;
  const wish = await publishRequestFor(context, chosen, reach);
  const published = await publishSession(system, wish);
  if (output.wantsJson) output.json(publishedJson(published, chosen.state));
  return conclude(chosen.state, context);
}

async function publishDocument(
  context: CommandContext,
  chosen: PlanTarget,
  reach: PublishStage,
): Promise<number> {
  const { system, output } = context;
  const wish = await planPublishRequestFor(context, chosen, reach);
  const { pull, branch: published } = await publishPlan(system, wish);
  const { run_id } = chosen.run;
  const { branch, commit, kind } = published;
  if (output.wantsJson) {
    output.json({ run_id, branch, commit, pushed: kind, pull_request: pull ?? null });
  }
  output.progress("Nothing is built yet: go on with `ralph autopilot --resume`.");
  return stopReasons.all_done;
}

/** Published is published, whatever the session came to; only one that is to go on says so. */
function conclude({ end }: SessionState, { output }: CommandContext): number {
  if (end?.reason !== "checkpoint") return stopReasons.all_done;
  output.progress("The session is not over: go on with `ralph run --resume`, then publish again.");
  return stopReasons.checkpoint;
}
