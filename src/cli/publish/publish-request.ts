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
import type { LocatedProject } from "../../session/open/locate-project.ts";
import { openSide } from "../../session/open/open-side.ts";
import { readCommitConfig } from "../../session/open/start-config.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { CommandContext } from "../core/command.ts";
import type { PlanTarget, PublishTarget, SessionTarget } from "./choose-target.ts";
import { readKeptProof } from "./kept-proof.ts";

/** How far it goes: `look` needs no token, `push` no API. */
export type PublishStage = "look" | "push" | "pull";

/** Everything `ralph publish` hands to the publisher of a session. */
export async function publishRequestFor(
  context: CommandContext,
  session: SessionTarget,
  reach: PublishStage,
): Promise<PublishRequest> {
  const { place, bundle, state } = session;
  const trust = trustIn(context, session);
  const origin = await originOf(context.system, { place, bundle, state, trust });
  return {
    ...(await publicationFor(context, session, limitStage(reach, origin))),
    staysDraft: false,
    comments: true,
    proof: "in_place",
    proved: await readKeptProof(place.store, state.head),
    acceptsInPlace: origin === undefined,
    origin,
  };
}

/** The same for the document of an autopilot run that waits for its reader. */
export async function planPublishRequestFor(
  context: CommandContext,
  plan: PlanTarget,
  reach: PublishStage,
): Promise<PlanPublishRequest> {
  const origin = originFactsOf(plan.run, plan.bundle);
  return { ...(await publicationFor(context, plan, limitStage(reach, origin))), origin };
}

/** A run that was started without a wish for a pull request gets none. */
const limitStage = (
  reach: PublishStage,
  origin: { wantsPull: boolean } | undefined,
): PublishStage => (reach === "pull" && origin?.wantsPull === false ? "push" : reach);

async function publicationFor(context: CommandContext, chosen: PublishTarget, reach: PublishStage) {
  const { place, bundle } = chosen;
  const trust = trustIn(context, chosen);
  const remote = await findRemote(context, chosen, trust.config);
  const token = reach === "look" ? undefined : await tokenFor(context, remote);
  const log = (line: string) => context.output.progress(plainLine(line, 2000));
  const github = reach === "pull" ? openGitHub(remote, token) : undefined;
  return { bundle, trust, checkout: place.root, remote: addressOf(remote, token), github, log };
}

/** Our own store says where a session began; of a bundle only the checkout is believed. */
function trustIn({ globals }: CommandContext, chosen: PublishTarget): Trust {
  const usual = { revisions: ["HEAD"], config: globals.config ?? ".ralph/ralph.yml" };
  if (!chosen.isOwn) return usual;
  const { branch, ...told } = chosen.kind === "session" ? recordedStart(chosen.state) : chosen.run;
  if (branch === undefined) return usual;
  const trust = { ...usual, revisions: ["HEAD", `refs/heads/${branch}`], branch };
  if (!("tasks" in told)) return trust;
  return { ...trust, config: globals.config ?? told.config, tasks: told.tasks };
}

const recordedStart = ({ session: { branch, config_path, source } }: SessionState) => ({
  branch,
  config: config_path,
  tasks: source.path,
});

async function findRemote(
  { system }: CommandContext,
  chosen: PublishTarget,
  path: string,
): Promise<ParsedRemote> {
  const { place } = chosen;
  // What a run has committed before its session is not in every clone.
  const commit =
    chosen.run?.base ?? (chosen.kind === "session" ? chosen.state.session.start.commit : "");
  const name = await remoteName(system, { place, commit, path });
  const config = await readUserConfig(system, place.root);
  const url = config.get(`remote.${name}.pushurl`) ?? config.get(`remote.${name}.url`);
  const remote = url === undefined ? undefined : parseRemoteUrl(url);
  if (remote) return remote;
  throw unknownRemote(name, url);
}

type Start = { place: LocatedProject; commit: string; path: string };

/** What the start commit says; where it cannot be read the publisher says why. */
async function remoteName(
  system: CommandContext["system"],
  { place, commit, path }: Start,
): Promise<string> {
  if (!isObjectId(commit)) return "origin";
  await using repo = await openSide(system, place);
  const config = await readCommitConfig(repo, { commit, path }, undefined);
  return config?.git.remote ?? "origin";
}

/** A folder of this machine needs none. */
async function tokenFor(
  { system, directory }: CommandContext,
  { hosted }: ParsedRemote,
): Promise<string | undefined> {
  return hosted && requireLocalToken(system, { host: hosted.host, directory });
}

function openGitHub({ url, hosted }: ParsedRemote, token = "") {
  if (hosted) return createGitHub({ ...hosted, token });
  throw new RalphError("config", {
    message: `${url} is a folder of this machine, where there are no pull requests.`,
    remedy: "Push the branch only: `ralph publish --no-pr`.",
  });
}
