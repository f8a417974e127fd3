import type { SessionState } from "../../core/state/session-state.ts";
import { takeLock } from "../../entry/take-lock.ts";
import { stopReasons } from "../../error.ts";
import {
  previewPlan,
  previewSession,
  publishPlan,
  publishSession,
} from "../../github/publish/publisher.ts";
import { sweepTemporaryFiles } from "../../platform/fs/temporary-file.ts";
import { newSessionId } from "../../session/loop/session-id.ts";
import type { Action, CommandContext } from "../core/command.ts";
import {
  choosePublishTarget,
  type PlanTarget,
  type PublishTarget,
  type SessionTarget,
} from "./choose-target.ts";
import { type PublishStage, planPublishRequestFor, publishRequestFor } from "./publish-request.ts";
import {
  planPreview,
  previewJson,
  publishedJson,
  renderPreview,
  sessionPreview,
} from "./publish-text.ts";

export type PublishOptions = { bundle?: string; dryRun?: boolean; pr?: boolean };

/** Publishes a session or a document, or previews the publication. */
export const performPublish: Action<PublishOptions> = async (context, options) => {
  const target = await choosePublishTarget(context, options.bundle);
  if (options.dryRun) return preview(context, target);
  const stage = options.pr === false ? "push" : "pull";
  const { store } = target.place;
  // A session that starts meanwhile would move the branch.
  await using _ = target.isOwn
    ? await takeLock(context.system, store, newSessionId(context.system))
    : undefined;
  if (target.isOwn) await sweepTemporaryFiles(store.files, ".");
  return target.kind === "session"
    ? await publishWork(context, target, stage)
    : await publishDocument(context, target, stage);
};

async function preview(context: CommandContext, target: PublishTarget): Promise<number> {
  const shown = await previewOf(context, target);
  return context.output.answer(previewJson(shown), renderPreview(shown));
}

async function previewOf(context: CommandContext, target: PublishTarget) {
  const { system } = context;
  if (target.kind === "plan") {
    const request = await planPublishRequestFor(context, target, "preview");
    return planPreview(await previewPlan(system, request), request);
  }
  const request = await publishRequestFor(context, target, "preview");
  return sessionPreview(await previewSession(system, request), request);
}

async function publishWork(context: CommandContext, target: SessionTarget, stage: PublishStage) {
  const { system, output } = context;
  const request = await publishRequestFor(context, target, stage);
  const published = await publishSession(system, request);
  if (output.wantsJson) output.json(publishedJson(published, target.state));
  return conclude(target.state, context);
}

async function publishDocument(context: CommandContext, target: PlanTarget, stage: PublishStage) {
  const { system, output } = context;
  const request = await planPublishRequestFor(context, target, stage);
  const { pull, branch: published } = await publishPlan(system, request);
  const { run_id } = target.run;
  const { branch, commit, kind } = published;
  if (output.wantsJson) {
    output.json({ run_id, branch, commit, pushed: kind, pull_request: pull ?? null });
  }
  output.progress("No task has run yet. Continue with `ralph autopilot --resume`.");
  return stopReasons.all_done;
}

/** Success for every outcome of the session, except that a checkpoint has its own exit code. */
function conclude({ end }: SessionState, { output }: CommandContext): number {
  if (end?.reason !== "checkpoint") return stopReasons.all_done;
  output.progress("The session is not finished: run `ralph run --resume`, then publish again.");
  return stopReasons.checkpoint;
}
