import type { System } from "../../platform/system.ts";
import { locateProject } from "../../session/open/locate-project.ts";
import { openSide } from "../../session/open/open-side.ts";
import type { GitHub } from "../api/create-github.ts";
import { openRemote } from "../api/remote.ts";
import { readViewer } from "../api/viewer.ts";
import {
  type PublicationDraft,
  preparePublication,
  unpublishableSecrets,
} from "../publication/prepare-publication.ts";
import type { PublishDeps } from "../publication/publish-deps.ts";
import type { PublishRequest } from "../publication/publish-request.ts";
import { type PublishResult, publishBranch } from "../push/publish-branch.ts";
import { openPusher } from "../push/pusher.ts";
import { createSecretFinder } from "../verify/find-secrets.ts";
import { type PublishedSession, publishPull } from "./publish-pull.ts";
import { reportLowValueChange } from "./report-low-value-change.ts";

/**
 * The one publisher (design 6): pushes a session's branch, opens its pull request as a draft, adds the run record as the
 * last commit, and marks it ready when everything passed, is proved and merges. Each step looks for what is there before
 * it does anything, so that it can be killed anywhere and started again: one pull request, one record, one comment.
 */
export async function publishSession(
  system: System,
  wish: PublishRequest,
): Promise<PublishedSession> {
  const place = await locateProject(system, wish.checkout);
  await using repo = await openSide(system, place);
  const story = await preparePublication(system, { repo, place, wish });
  const remote = openRemote(repo, wish.remote, system);
  if (story.own.length === 0) {
    wish.tell("No task has passed, so there is nothing to push.");
    return { branch: leftOut(story, "empty") };
  }
  const github = wantsPull(story, wish);
  const deps = github && (await createDeps(system, wish, github));
  const { unwanted } = story;
  if (unwanted !== undefined) {
    await reportLowValueChange(deps, { story, wish, why: unwanted });
    return { branch: leftOut(story, "unwanted"), unwanted };
  }
  const { clock } = system;
  const places = { clock, address: wish.remote, github: wish.github, tell: wish.tell };
  const work = { story, wish, remote, pusher: openPusher(remote, story.start.config, places) };
  if (deps) return await publishPull({ ...work, deps });
  return { branch: (await publishBranch(work)).published };
}

async function createDeps(
  system: System,
  wish: PublishRequest,
  github: GitHub,
): Promise<PublishDeps> {
  const findSecrets = createSecretFinder(unpublishableSecrets(system, wish));
  return { github, clock: system.clock, viewer: await readViewer(github), findSecrets };
}

/** Of what is not pushed at all. */
function leftOut({ start, state }: PublicationDraft, kind: "empty" | "unwanted"): PublishResult {
  const { branch, config } = start;
  return { branch, config, commit: state.head, kind, flagged: [] };
}

/** What `publishSession` would do, without any effect. */
export async function planSession(system: System, wish: PublishRequest): Promise<PublicationDraft> {
  const place = await locateProject(system, wish.checkout);
  await using repo = await openSide(system, place);
  return await preparePublication(system, { repo, place, wish });
}

/** The API to use, where everything that has a say wants a pull request (design 6). */
function wantsPull(
  { start: { config } }: PublicationDraft,
  wish: PublishRequest,
): GitHub | undefined {
  const switched = [
    ...(config.autopilot.create_pr ? [] : ["autopilot.create_pr is false"]),
    ...(config.pr.enabled ? [] : ["pr.enabled is false"]),
  ];
  if (switched.length === 0) return wish.github;
  wish.tell(`No pull request is opened: ${switched.join(", ")}.`);
  return undefined;
}
