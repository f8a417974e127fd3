import { RalphError } from "../../error.ts";
import { branchRef } from "../../git/commits/move-branch.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit } from "../../git/repository/run-git.ts";
import { isAncestor, isObjectId, missingObjects } from "../../git/trees/objects.ts";
import type { Environment } from "../../platform/system.ts";
import { remoteFailed } from "./remote-failed.ts";
import { isSafeUrl } from "./safe-url.ts";

/** Where branches are pushed to, and who pushes. */
export interface RemoteAddress {
  /** `https://github.com/owner/name.git`. */
  url: string;
  token?: string;
  /** Allows `file:` addresses as well: a repository on this machine. */
  allowsFiles?: true;
}

/** A repository elsewhere. Nothing of this machine's configuration takes part, and the token stands in no argument. */
export interface Remote {
  url: string;
  repo: Repository;
  env: Environment;
}

/** What a remote says about itself. */
export interface RemoteState {
  defaultBranch: string | undefined;
  /** Where the branch asked for stands. */
  tip: string | undefined;
  /** Where the other branch asked for stands. */
  base: string | undefined;
}

export type PushResult = { kind: "pushed" } | { kind: "moved"; tip: string | undefined };

/** Programs behind a proxy or an authority of their own find both in these. */
const networkVariables = /^(?:(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)|GIT_SSL_CAINFO)$/i;

/** Prepares git for one remote: https only (http on this machine), no hooks, helpers, prompts or redirections (T41). */
export function openRemote(
  repo: Repository,
  address: RemoteAddress,
  { env }: { env: Environment },
): Remote {
  return {
    url: address.url,
    repo,
    env: remoteEnvironment(address, { env, home: repo.privateDir }),
  };
}

/** What git is given for one remote; `home` is a folder without a file of passwords. */
export function remoteEnvironment(
  { url, token, allowsFiles }: RemoteAddress,
  { env, home }: { env: Environment; home: string },
): Environment {
  const isFile = allowsFiles && url.startsWith("file:///");
  if (!isFile && !isSafeUrl(url)) {
    throw new RalphError("config", {
      message: `Nothing is pushed to ${url}: that is no https address.`,
      remedy: "Give an address such as `https://github.com/owner/name.git`.",
    });
  }
  const { protocol, origin } = new URL(url);
  const network = Object.entries(env).filter(([name]) => networkVariables.test(name));
  const settings: [string, string][] = [
    ["safe.bareRepository", "explicit"],
    ["credential.helper", ""],
    ["http.followRedirects", "false"],
    // A connection that stands still for two minutes is given up.
    ["http.lowSpeedLimit", "1"],
    ["http.lowSpeedTime", "120"],
    ...(token ? [[`http.${origin}/.extraheader`, headerOf(token)] as [string, string]] : []),
  ];
  return {
    ...Object.fromEntries(network),
    ...environmentOf(settings),
    HOME: home,
    GIT_ALLOW_PROTOCOL: protocol.slice(0, -1),
  };
}

function headerOf(token: string): string {
  return `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
}

function environmentOf(settings: readonly [string, string][]): Environment {
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

/** One look at the remote: at a branch, and at the one it is to be merged into. */
export async function readRemote(
  remote: Remote,
  branch: string,
  base = branch,
): Promise<RemoteState> {
  const refs = [branch, base].map(branchRef);
  const args = ["ls-remote", "--symref", "--", remote.url, "HEAD", ...refs];
  const answer = await askGit(remote.repo, args, { env: remote.env });
  if (answer.exitCode !== 0) throw remoteFailed(remote.url, answer);
  const lines = answer.stdout.toString().split("\n");
  const records = lines.map((line) => line.split("\t"));
  const head = records.find(([value, name]) => name === "HEAD" && value?.startsWith("ref: "))?.[0];
  const [tip, other] = refs.map(
    (ref) => records.find(([value = "", name]) => name === ref && isObjectId(value))?.[0],
  );
  return { defaultBranch: head?.replace("ref: refs/heads/", ""), tip, base: other };
}

/** Whether a commit of a branch is here by now; one that cannot be fetched is nobody's we know. */
export async function fetchTip(remote: Remote, branch: string, tip: string): Promise<boolean> {
  const { repo, url, env } = remote;
  if ((await missingObjects(repo, [tip])).length === 0) return true;
  const quiet = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"];
  const args = ["fetch", ...quiet, "--no-recurse-submodules", "--", url, branchRef(branch)];
  await askGit(repo, args, { env });
  return (await missingObjects(repo, [tip])).length === 0;
}

/**
 * Moves a branch of the remote forward by compare-and-swap: only from `from` (undefined: it must not exist), and only to
 * a commit that holds it. Whoever moved it in between keeps what they pushed (F53). A connection that breaks is followed
 * by a look at what became of the push.
 */
export async function pushBranch(
  remote: Remote,
  { branch, from, to }: { branch: string; from: string | undefined; to: string },
): Promise<PushResult> {
  const ref = branchRef(branch);
  // With a lease git asks no longer whether a push is a fast-forward.
  if (from !== undefined && !(await isAncestor(remote.repo, from, to))) {
    throw new Error(`A branch is only moved forward, and ${to} does not follow ${from}.`);
  }
  const answer = await askGit(
    remote.repo,
    [
      "push",
      "--porcelain",
      "--no-verify",
      "--no-signed",
      "--recurse-submodules=no",
      `--force-with-lease=${ref}:${from ?? ""}`,
      "--",
      remote.url,
      `${to}:${ref}`,
    ],
    { env: remote.env },
  );
  if (answer.exitCode === 0) return { kind: "pushed" };
  const { tip } = await readRemote(remote, branch);
  if (tip === to) return { kind: "pushed" };
  if (tip !== from) return { kind: "moved", tip };
  throw remoteFailed(remote.url, answer);
}
