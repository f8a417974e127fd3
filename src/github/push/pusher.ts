import { RalphError } from "../../error.ts";
import type { Clock } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { createGitHub, type GitHub } from "../api/create-github.ts";
import { fetchTip, pushBranch, type Remote } from "../api/remote.ts";
import { parseRemoteUrl, type RemoteAddress } from "../api/remote-url.ts";
import { apiPushLines, heldCommits, pushByApi } from "./api-commits.ts";
import type { RemoteIds } from "./match-commits.ts";

/** Commits on top of `base`, which the remote has: up to `to` locally, up to `from` on the branch. */
export interface CommitRange {
  base: string;
  from: string | undefined;
  to: string;
}

/** A branch's commit after a push; `ids` lists the local commits that have another id there. */
export type PushOutcome =
  | { kind: "pushed"; tip: string; ids: RemoteIds }
  | { kind: "moved"; tip: string | undefined };

/** A way to get commits onto a branch of the remote (`commits`). */
export interface Pusher {
  readonly remote: Remote;
  /** The local commits that the branch already holds under other ids; `from` is fetched. */
  held: (range: CommitRange) => Promise<RemoteIds>;
  /** Moves a branch forward by compare-and-swap; a push in between is kept (F53). */
  push: (move: CommitRange & { branch: string }) => Promise<PushOutcome>;
}

type PusherDeps = {
  clock: Pick<Clock, "sleep">;
  address: RemoteAddress;
  /** The client, if the caller has one. */
  github: GitHub | undefined;
  log: (line: string) => void;
};

/** Pushes commits by git, or has GitHub make and sign them again. */
export function openPusher(
  remote: Remote,
  { commits }: Pick<Config, "commits">,
  deps: PusherDeps,
): Pusher {
  return commits === "api" ? apiPusher(remote, deps) : gitPusher(remote);
}

const none: RemoteIds = new Map();

function gitPusher(remote: Remote): Pusher {
  return {
    remote,
    held: async () => none,
    push: async ({ branch, from, to }) => {
      const result = await pushBranch(remote, { branch, from, to });
      return result.kind === "pushed" ? { kind: "pushed", tip: to, ids: none } : result;
    },
  };
}

function apiPusher(remote: Remote, { clock, address, github, log }: PusherDeps): Pusher {
  const api = github ?? githubAt(address);
  return {
    remote,
    held: (range) => heldCommits(remote, range),
    push: async (move) => {
      const result = await pushByApi({ github: api, clock, remote }, move);
      for (const line of apiPushLines(result)) log(line);
      // Later commits are built locally on those made by GitHub.
      if (result.kind === "pushed") await fetchTip(remote, move.branch, result.tip);
      return result;
    },
  };
}

function githubAt({ url, token }: RemoteAddress): GitHub {
  const hosted = parseRemoteUrl(url)?.hosted;
  if (hosted && token !== undefined) return createGitHub({ ...hosted, token });
  throw new RalphError("config", {
    message: `\`commits: api\` needs a repository on GitHub and a token, but the remote is ${url}.`,
    remedy: "Set `commits: git`, or publish to GitHub.",
  });
}
