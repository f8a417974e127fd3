import type { Repository } from "../../git/repository/repository.ts";
import type { System } from "../../platform/system.ts";
import { locateProject, openSide } from "../../session/open/locate-project.ts";
import { renderReport } from "../../views/summary/report-markdown.ts";
import { ignoreForbidden } from "../api/expected-refusals.ts";
import { openRemote } from "../api/remote.ts";
import { readViewer } from "../api/viewer.ts";
import {
  type PlanDraft,
  type PublicationDraft,
  preparePlan,
  prepareSession,
  type SessionDraft,
  unpublishableSecrets,
} from "../publication/prepare-publication.ts";
import type {
  PlanPublishRequest,
  Publication,
  PublishDeps,
  PublishRequest,
} from "../publication/publish-request.ts";
import { upsertCheckRun } from "../pulls/check-run.ts";
import { pullBaseBranch } from "../push/base-state.ts";
import { type PublishedBranch, publishBranch, unpushedBranch } from "../push/publish-branch.ts";
import { openPusher, type Pusher } from "../push/pusher.ts";
import { createSecretFinder } from "../verify/find-secrets.ts";
import {
  isDecided,
  openOrExplain,
  type PublicationResult,
  publishPull,
  pullResult,
} from "./publish-pull.ts";

/**
 * Publishes a session (design 6): pushes its branch, opens a draft pull request, adds the run record as the last commit,
 * and marks it ready when every task passed, is proved and merges. Each step first reads the present state, so that the
 * publisher can be killed anywhere and started again: one pull request, one record, one comment.
 */
export async function publishSession(
  system: System,
  request: PublishRequest,
): Promise<PublicationResult> {
  const place = await locateProject(system, request.checkout);
  await using repo = await openSide(system, place);
  const draft = await prepareSession(system, { repo, place, request });
  if (draft.own.length === 0) {
    request.log("No task has passed, so there is nothing to push.");
    return { branch: unpushedBranch(draft, "empty") };
  }
  const deps = await openPullDeps(system, draft, request);
  const { lowValueReason } = draft;
  if (lowValueReason !== undefined) {
    await reportLowValueChange(deps, draft, request);
    return { branch: unpushedBranch(draft, "unwanted"), lowValueReason };
  }
  const pusher = createPusher(system, repo, { draft, request });
  if (deps) return await publishPull({ draft, request, pusher, deps, files: system.files });
  return { branch: (await publishBranch(pusher, draft, request)).published };
}

/**
 * Publishes the document of an autopilot run: its branch, and a draft pull request that explains how to continue. The
 * session that follows uses both. Safe to repeat; a person's commits are kept.
 */
export async function publishPlan(
  system: System,
  request: PlanPublishRequest,
): Promise<PublicationResult & { branch: PublishedBranch }> {
  await using repo = await openSide(system, await locateProject(system, request.checkout));
  const draft = await preparePlan(system, { repo, request });
  if (draft.own.length === 0) {
    request.log("The run has committed nothing, so there is nothing to push.");
    return { branch: unpushedBranch(draft, "empty") };
  }
  const deps = await openPullDeps(system, draft, request);
  const pusher = createPusher(system, repo, { draft, request });
  const { published: branch, remoteState } = await publishBranch(pusher, draft, request);
  if (!deps) return { branch };
  const base = pullBaseBranch(draft, remoteState);
  const opened = await openOrExplain({ deps, draft, request }, { base, body: draft.body });
  if (!opened) return { branch };
  const { number, html_url: url, draft: isDraft } = opened.pull;
  const status = isDraft ? "a draft for you to read" : "open";
  if (!isDecided(opened)) request.log(`Pull request #${number} is ${status}: ${url}`);
  return { branch, pull: pullResult(opened) };
}

/** The checked draft `publishSession` would publish, without any effect. */
export async function previewSession(
  system: System,
  request: PublishRequest,
): Promise<SessionDraft> {
  const place = await locateProject(system, request.checkout);
  await using repo = await openSide(system, place);
  return await prepareSession(system, { repo, place, request });
}

/** The checked draft `publishPlan` would publish, without any effect. */
export async function previewPlan(system: System, request: PlanPublishRequest): Promise<PlanDraft> {
  await using repo = await openSide(system, await locateProject(system, request.checkout));
  return await preparePlan(system, { repo, request });
}

/** Access to pull requests; undefined when the caller or the configuration wants none (design 6). */
async function openPullDeps(
  system: System,
  { start: { config } }: PublicationDraft,
  request: Publication,
): Promise<PublishDeps | undefined> {
  const { github, log } = request;
  const disabled = [
    ...(config.autopilot.create_pr ? [] : ["autopilot.create_pr is false"]),
    ...(config.pr.enabled ? [] : ["pr.enabled is false"]),
  ];
  if (disabled.length > 0) log(`No pull request is opened: ${disabled.join(", ")}.`);
  if (!github || disabled.length > 0) return undefined;
  const findSecrets = createSecretFinder(unpublishableSecrets(system, request));
  return { github, clock: system.clock, viewer: await readViewer(github), findSecrets };
}

function createPusher(
  system: System,
  repo: Repository,
  { draft, request }: { draft: PublicationDraft; request: Publication },
): Pusher {
  const { remote: address, github, log } = request;
  const remote = openRemote(repo, address, system);
  return openPusher(remote, draft.start.config, { clock: system.clock, address, github, log });
}

/** Explains why nothing is published: in the log, and by a neutral check run on the start commit. */
async function reportLowValueChange(
  deps: PublishDeps | undefined,
  { state, start, lowValueReason: reason }: SessionDraft,
  request: PublishRequest,
): Promise<void> {
  request.log(`Nothing is published: ${reason}, which no one reviews. The session keeps it.`);
  if (!deps) return;
  await ignoreForbidden(request, async () => {
    await upsertCheckRun(deps, {
      name: "ralph",
      sessionId: state.session.session_id,
      head: start.commit,
      conclusion: "neutral",
      title: "No pull request: there is nothing to review",
      summary: `In all commits of the session, ${reason}.\n\n${renderReport(state)}`,
      annotations: [],
      detailsUrl: request.job?.url,
    });
  });
}
