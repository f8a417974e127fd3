import { RalphError } from "../../error.ts";
import { branchRef } from "../../git/commits/move-branch.ts";
import { gitSettings } from "../../git/repository/environment.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { askGit, type GitAnswer } from "../../git/repository/run-git.ts";
import { isAncestor, isObjectId, missingObjects } from "../../git/trees/objects.ts";
import type { Environment } from "../../platform/system.ts";
import { isSafeUrl, type RemoteAddress } from "./remote-url.ts";

/** A remote repository. This machine's git configuration has no effect, and the token appears in no argument. */
export interface Remote {
  url: string;
  repo: Repository;
  env: Environment;
}

export interface RemoteState {
  defaultBranch: string | undefined;
  tip: string | undefined;
  base: string | undefined;
}

export type PushResult = { kind: "pushed" } | { kind: "moved"; tip: string | undefined };

/** Settings for proxies and certificate authorities. */
const networkVariables = /^(?:(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)|GIT_SSL_CAINFO)$/i;

/** Prepares git for one remote: https only (http on this machine), no hooks, helpers, prompts or redirections (T41). */
export function openRemote(
  repo: Repository,
  address: RemoteAddress,
  { env }: { env: Environment },
): Remote {
  const { url } = address;
  return { url, repo, env: remoteEnvironment(address, { env, home: repo.privateDir }) };
}

/** git's environment for one remote; `home` is a folder without stored passwords. */
export function remoteEnvironment(
  { url, token, allowsFiles }: RemoteAddress,
  { env, home }: { env: Environment; home: string },
): Environment {
  const isFile = allowsFiles && url.startsWith("file:///");
  if (!isFile && !isSafeUrl(url)) {
    throw new RalphError("config", {
      message: `Nothing is pushed to ${url}: it is not an https address.`,
      remedy: "Use an address such as `https://github.com/owner/name.git`.",
    });
  }
  const { protocol, origin } = new URL(url);
  const network = Object.entries(env).filter(([name]) => networkVariables.test(name));
  const login = Buffer.from(`x-access-token:${token}`).toString("base64");
  const settings = {
    "safe.bareRepository": "explicit",
    "credential.helper": "",
    "http.followRedirects": "false",
    // A connection that stalls for two minutes is given up.
    "http.lowSpeedLimit": "1",
    "http.lowSpeedTime": "120",
    ...(token && { [`http.${origin}/.extraheader`]: `Authorization: Basic ${login}` }),
  };
  return {
    ...Object.fromEntries(network),
    ...gitSettings(settings),
    HOME: home,
    GIT_ALLOW_PROTOCOL: protocol.slice(0, -1),
  };
}

/** Reads the tips of a branch and of its base branch. */
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

/** Fetches a commit of a branch; false when it cannot be fetched. */
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
 * a descendant. A push by someone else in between is kept (F53). When the connection breaks, the branch is read again.
 */
export async function pushBranch(
  remote: Remote,
  { branch, from, to }: { branch: string; from: string | undefined; to: string },
): Promise<PushResult> {
  const ref = branchRef(branch);
  // With a lease git does not check that a push is a fast-forward.
  if (from !== undefined && !(await isAncestor(remote.repo, from, to))) {
    throw new Error(`A branch only moves forward, and ${to} does not descend from ${from}.`);
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

/** The error for a failed git command; git's output decides the remedy. */
export function remoteFailed(url: string, { exitCode, stdout, stderr }: GitAnswer): RalphError {
  const output = [stderr, stdout.toString()]
    .join("\n")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(?:To |Done$|hint:|error: failed to push)/.test(line))
    .join("\n")
    .slice(0, 2000);
  return new RalphError("git", {
    message: `git failed with ${url}: ${output || `exit code ${exitCode}`}`,
    remedy:
      remedies.find(([pattern]) => pattern.test(output))?.[1] ??
      "Check the network, then publish again.",
  });
}

const remedies: readonly [pattern: RegExp, remedy: string][] = [
  [
    /without `?workflows`? permission/i,
    "Remove the workflow files from the commits. If they change none, those of the base branch changed since the session began: start the workflow again from there, or use the token of an App with `workflows: write`.",
  ],
  [
    /GH00\d|GH013|protected branch|rule violations|pre-receive hook declined/i,
    "Allow the token's owner to push to this branch in the repository's rules, or choose another branch.",
  ],
  [
    /Authentication failed|could not read Username|error: 401/i,
    "The token was not accepted: set a valid one that may write contents here (GITHUB_TOKEN, or `gh auth login`; in a job `contents: write` under `permissions:`).",
  ],
  [
    /not found/i,
    "Check that the repository exists under this name (`git remote -v`), and that the token may write to it: `contents: write`.",
  ],
  [
    /error: 403|denied|not granted/i,
    "Give the job `contents: write` under `permissions:`, or give the token that permission on this repository.",
  ],
  [/redirect/i, "The repository has moved: run again with its new name."],
];
