import { RalphError } from "../../error.ts";
import type { Clock } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { createGitHub, type GitHub } from "../api/create-github.ts";
import { fetchTip, pushBranch, type Remote, type RemoteAddress } from "../api/remote.ts";
import { parseRemoteUrl } from "../api/remote-url.ts";
import { apiPushLines, heldCommits, pushByApi } from "./api-commits.ts";
import type { RemoteIds } from "./match-commits.ts";

/** Commits above `base`, which the remote has: those up to `to`, and a branch that was seen at `from`. */
export interface CommitRange {
  base: string;
  from: string | undefined;
  to: string;
}

/** Where a branch stands after a push, and under which ids it holds our commits; what is not named has its own. */
export type PushOutcome =
  | { kind: "pushed"; tip: string; ids: RemoteIds }
  | { kind: "moved"; tip: string | undefined };

/** How commits get onto a branch of the remote (`commits`). */
export interface Pusher {
  readonly remote: Remote;
  /** Which of our commits the branch holds already, under which ids; `from` is fetched. */
  held: (span: CommitRange) => Promise<RemoteIds>;
  /** Moves a branch forward by compare-and-swap. Whoever moved it in between keeps what they pushed (F53). */
  push: (move: CommitRange & { branch: string }) => Promise<PushOutcome>;
}

type PusherDeps = {
  clock: Pick<Clock, "sleep">;
  address: RemoteAddress;
  /** Where the door has opened it already. */
  github: GitHub | undefined;
  log: (line: string) => void;
};

/** By git as they are, or made anew by GitHub, which signs them. */
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
    held: (span) => heldCommits(remote, span),
    push: async (move) => {
      const result = await pushByApi({ github: api, clock, remote }, move);
      for (const line of apiPushLines(result)) log(line);
      // What was made there is built upon here.
      if (result.kind === "pushed") await fetchTip(remote, move.branch, result.tip);
      return result;
    },
  };
}

function githubAt({ url, token }: RemoteAddress): GitHub {
  const hosted = parseRemoteUrl(url)?.hosted;
  if (hosted && token !== undefined) return createGitHub({ ...hosted, token });
  throw new RalphError("config", {
    message: `\`commits\` is api, and ${url} is no repository on GitHub that is published to with a token.`,
    remedy: "Set `commits: git`, or publish to GitHub.",
  });
}
