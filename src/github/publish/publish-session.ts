import type { System } from "../../platform/system.ts";
import { locateProject } from "../../session/open/locate-project.ts";
import { openSide } from "../../session/open/open-side.ts";
import type { GitHub } from "../api/create-github.ts";
import { openRemote } from "../api/remote.ts";
import { readViewer } from "../api/viewer.ts";
import {
  preparePublication,
  type SessionDraft,
  unpublishableSecrets,
} from "../publication/prepare-publication.ts";
import type { PublishDeps } from "../publication/publish-deps.ts";
import type { PublishRequest } from "../publication/publish-request.ts";
import { type PublishedBranch, publishBranch } from "../push/publish-branch.ts";
import { openPusher } from "../push/pusher.ts";
import { createSecretFinder } from "../verify/find-secrets.ts";
import { type PublicationResult, publishPull } from "./publish-pull.ts";
import { reportLowValueChange } from "./report-low-value-change.ts";

/**
 * The one publisher (design 6): pushes a session's branch, opens its pull request as a draft, adds the run record as the
 * last commit, and marks it ready when everything passed, is proved and merges. Each step looks for what is there before
 * it does anything, so that it can be killed anywhere and started again: one pull request, one record, one comment.
 */
export async function publishSession(
  system: System,
  request: PublishRequest,
): Promise<PublicationResult> {
  const place = await locateProject(system, request.checkout);
  await using repo = await openSide(system, place);
  const draft = await preparePublication(system, { repo, place, request });
  const remote = openRemote(repo, request.remote, system);
  if (draft.own.length === 0) {
    request.log("No task has passed, so there is nothing to push.");
    return { branch: leftOut(draft, "empty") };
  }
  const github = wantsPull(draft, request);
  const deps = github && (await createDeps(system, request, github));
  const { lowValueReason } = draft;
  if (lowValueReason !== undefined) {
    await reportLowValueChange(deps, { draft, request, why: lowValueReason });
    return { branch: leftOut(draft, "unwanted"), lowValueReason };
  }
  const { clock } = system;
  const places = { clock, address: request.remote, github: request.github, log: request.log };
  const work = { draft, request, remote, pusher: openPusher(remote, draft.start.config, places) };
  if (deps) return await publishPull({ ...work, deps });
  return { branch: (await publishBranch(work)).published };
}

async function createDeps(
  system: System,
  request: PublishRequest,
  github: GitHub,
): Promise<PublishDeps> {
  const findSecrets = createSecretFinder(unpublishableSecrets(system, request));
  return { github, clock: system.clock, viewer: await readViewer(github), findSecrets };
}

/** Of what is not pushed at all. */
function leftOut({ start, state }: SessionDraft, kind: "empty" | "unwanted"): PublishedBranch {
  const { branch, config } = start;
  return { branch, config, commit: state.head, kind, flagged: [] };
}

/** What `publishSession` would do, without any effect. */
export async function previewSession(
  system: System,
  request: PublishRequest,
): Promise<SessionDraft> {
  const place = await locateProject(system, request.checkout);
  await using repo = await openSide(system, place);
  return await preparePublication(system, { repo, place, request });
}

/** The API to use, where everything that has a say wants a pull request (design 6). */
function wantsPull(
  { start: { config } }: SessionDraft,
  request: PublishRequest,
): GitHub | undefined {
  const switched = [
    ...(config.autopilot.create_pr ? [] : ["autopilot.create_pr is false"]),
    ...(config.pr.enabled ? [] : ["pr.enabled is false"]),
  ];
  if (switched.length === 0) return request.github;
  request.log(`No pull request is opened: ${switched.join(", ")}.`);
  return undefined;
}
