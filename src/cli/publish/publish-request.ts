import { originFactsOf, originOf } from "../../autopilot/run/run-origin.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { readUserConfig } from "../../git/open/open-repository.ts";
import { isObjectId } from "../../git/trees/objects.ts";
import { createGitHub } from "../../github/api/create-github.ts";
import { requireLocalToken } from "../../github/api/local-token.ts";
import {
  addressOf,
  type ParsedRemote,
  parseRemoteUrl,
  unknownRemote,
} from "../../github/api/remote-url.ts";
import type {
  PlanPublishRequest,
  PublishRequest,
} from "../../github/publication/publish-request.ts";
import type { Trust } from "../../github/verify/trusted-start.ts";
import { configFile } from "../../schema/config/config.ts";
import { type LocatedProject, openSide } from "../../session/open/locate-project.ts";
import { readCommitConfig } from "../../session/open/start-config.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { CommandContext } from "../core/command.ts";
import type { PlanTarget, PublishTarget, SessionTarget } from "./choose-target.ts";
import { readKeptProof } from "./kept-proof.ts";

/** The last stage of a publication: `preview` needs no token, `push` does not use the API. */
export type PublishStage = "preview" | "push" | "pull";

/** The request of `ralph publish` for a session. */
export async function publishRequestFor(
  context: CommandContext,
  session: SessionTarget,
  stage: PublishStage,
): Promise<PublishRequest> {
  const { place, bundle, state } = session;
  const trust = trustIn(context, session);
  const origin = await originOf(context.system, { place, bundle, state, trust });
  return {
    ...(await publicationFor(context, session, limitStage(stage, origin))),
    staysDraft: false,
    comments: true,
    proof: "in_place",
    proved: await readKeptProof(place.store, state.head),
    // The machine that agents worked on proves nothing to others.
    acceptsInPlace: false,
    origin,
  };
}

/** The same for the document of an autopilot run that waits for approval. */
export async function planPublishRequestFor(
  context: CommandContext,
  plan: PlanTarget,
  stage: PublishStage,
): Promise<PlanPublishRequest> {
  const origin = originFactsOf(plan.run, plan.bundle);
  return { ...(await publicationFor(context, plan, limitStage(stage, origin))), origin };
}

/** A run without `--create-pr` gets no pull request. */
const limitStage = (
  stage: PublishStage,
  origin: { wantsPull: boolean } | undefined,
): PublishStage => (stage === "pull" && origin?.wantsPull === false ? "push" : stage);

async function publicationFor(context: CommandContext, target: PublishTarget, stage: PublishStage) {
  const { place, bundle } = target;
  const trust = trustIn(context, target);
  const remote = await findRemote(context, target, trust.config);
  const token = stage === "preview" ? undefined : await tokenFor(context, remote);
  const log = (line: string) => context.output.progress(plainLine(line, 2000));
  const github = stage === "pull" ? openGitHub(remote, token) : undefined;
  return { bundle, trust, checkout: place.root, remote: addressOf(remote, token), github, log };
}

/** The project's own store names the start of a session; for a bundle, only the checkout is trusted. */
function trustIn({ globals }: CommandContext, target: PublishTarget): Trust {
  const usual = { revisions: ["HEAD"], config: globals.config ?? configFile };
  if (!target.isOwn) return usual;
  const { branch, ...recorded } =
    target.kind === "session" ? recordedStart(target.state) : target.run;
  if (branch === undefined) return usual;
  const trust = { ...usual, revisions: ["HEAD", `refs/heads/${branch}`], branch };
  if (!("tasks" in recorded)) return trust;
  return { ...trust, config: globals.config ?? recorded.config, tasks: recorded.tasks };
}

const recordedStart = ({ session: { branch, config_path, source } }: SessionState) => ({
  branch,
  config: config_path,
  tasks: source.path,
});

async function findRemote({ system }: CommandContext, target: PublishTarget, path: string) {
  const { place } = target;
  // The commits a run made before its session are not in every clone.
  const commit =
    target.run?.base ?? (target.kind === "session" ? target.state.session.start.commit : "");
  const name = await remoteName(system, { place, commit, path });
  const config = await readUserConfig(system, place.root);
  const url = config.get(`remote.${name}.pushurl`) ?? config.get(`remote.${name}.url`);
  const remote = url === undefined ? undefined : parseRemoteUrl(url);
  if (remote) return remote;
  throw unknownRemote(name, url);
}

/** The remote in the configuration of the start commit. When that is unreadable, the publisher reports why. */
async function remoteName(
  system: CommandContext["system"],
  { place, commit, path }: { place: LocatedProject; commit: string; path: string },
): Promise<string> {
  if (!isObjectId(commit)) return "origin";
  await using repo = await openSide(system, place);
  const config = await readCommitConfig(repo, { commit, path }, undefined);
  return config?.git.remote ?? "origin";
}

/** A local remote needs no token. */
const tokenFor = async (
  { system, directory }: CommandContext,
  { hosted }: ParsedRemote,
): Promise<string | undefined> =>
  hosted && requireLocalToken(system, { host: hosted.host, directory });

function openGitHub({ url, hosted }: ParsedRemote, token = "") {
  if (hosted) return createGitHub({ ...hosted, token });
  throw new RalphError("config", {
    message: `${url} is a local folder, which has no pull requests.`,
    remedy: "Push only the branch: `ralph publish --no-pr`.",
  });
}
