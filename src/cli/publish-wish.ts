import { RalphError } from "../error.ts";
import { isObjectId } from "../git/objects.ts";
import { readUserConfig } from "../git/open-repository.ts";
import { createGitHub } from "../github/create-github.ts";
import { requireLocalToken } from "../github/local-token.ts";
import {
  addressOf,
  parseRemoteUrl,
  type RemotePlace,
  unknownRemote,
} from "../github/remote-place.ts";
import type { SessionWish } from "../github/session-wish.ts";
import type { Trust } from "../github/trusted-start.ts";
import { openSide } from "../loop/open-side.ts";
import { readCommitConfig } from "../loop/start-config.ts";
import { plainLine } from "../surfaces/plain-text.ts";
import type { ChosenSession } from "./choose-published.ts";
import type { CommandContext } from "./command.ts";
import { originOf } from "./run-origin.ts";

/** How far it goes: `look` needs no token, `push` no API. */
export type Reach = "look" | "push" | "pull";

/** Everything `ralph publish` hands to the publisher. */
export async function wishFor(
  context: CommandContext,
  session: ChosenSession,
  reach: Reach,
): Promise<SessionWish> {
  const { system, output } = context;
  const { place, bundle } = session;
  const trust = trustIn(context, session);
  const remote = await findRemote(context, session, trust.config);
  const token = reach === "look" ? undefined : await tokenFor(context, remote);
  const origin = await originOf(system, session);
  const wantsPull = reach === "pull" && origin?.wantsPull !== false;
  return {
    bundle,
    trust,
    checkout: place.root,
    remote: addressOf(remote, token),
    github: wantsPull ? openGitHub(remote, token) : undefined,
    staysDraft: false,
    comments: true,
    proof: "in_place",
    acceptsInPlace: origin === undefined,
    origin,
    tell: (line) => output.progress(plainLine(line, 2000)),
  };
}

/** Our own store says where a session began; of a bundle only the checkout is believed. */
function trustIn({ globals }: CommandContext, { run, isOwn }: ChosenSession): Trust {
  const { branch, config_path, source } = run.session;
  const usual = { revisions: ["HEAD"], config: globals.config ?? ".ralph/ralph.yml" };
  if (!isOwn) return usual;
  const config = globals.config ?? config_path;
  return { revisions: ["HEAD", `refs/heads/${branch}`], config, tasks: source.path, branch };
}

async function findRemote(
  { system }: CommandContext,
  { place, run }: ChosenSession,
  path: string,
): Promise<RemotePlace> {
  const name = await remoteName(system, { place, commit: run.session.start.commit, path });
  const config = await readUserConfig(system, place.root);
  const url = config.get(`remote.${name}.pushurl`) ?? config.get(`remote.${name}.url`);
  const remote = url === undefined ? undefined : parseRemoteUrl(url);
  if (remote) return remote;
  throw unknownRemote(name, url);
}

type Start = { place: ChosenSession["place"]; commit: string; path: string };

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
  { hosted }: RemotePlace,
): Promise<string | undefined> {
  return hosted && requireLocalToken(system, { host: hosted.host, directory });
}

function openGitHub({ url, hosted }: RemotePlace, token = "") {
  if (hosted) return createGitHub({ ...hosted, token });
  throw new RalphError("config", {
    message: `${url} is a folder of this machine, where there are no pull requests.`,
    remedy: "Push the branch only: `ralph publish --no-pr`.",
  });
}
