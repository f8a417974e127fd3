import * as z from "zod";
import { RalphError } from "../../error.ts";
import { treeOf } from "../../git/trees/objects.ts";
import { shortCommit } from "../../text/figures.ts";
import { sendAgain } from "../api/create-once.ts";
import type { Remote } from "../api/remote.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";
import type { PublishDeps } from "../publication/publish-deps.ts";
import { makeTree } from "./api-tree.ts";
import { type CommitShape, type RemoteIds, remoteParents } from "./match-commits.ts";

/** Dependencies of a push through GitHub's API; `remote` gives access to the branch and the local objects. */
export type ApiDeps = Pick<PublishDeps, "github" | "clock"> & { remote: Remote };

/** A commit on GitHub; `lacks`: why it is not shown as verified. */
export interface MadeCommit {
  id: string;
  lacks: string | undefined;
}

const Answer = z.object({
  sha: z.string(),
  verification: z.object({ verified: z.boolean(), reason: z.string() }).optional(),
});

/**
 * Makes a local commit again on GitHub, where its parents already are (`ids`): the same tree and message. It names no
 * author, so that GitHub signs it. Safe to repeat, because no ref points to it yet.
 */
export async function makeCommit(
  { github, clock, remote }: ApiDeps,
  commit: CommitShape,
  ids: RemoteIds,
): Promise<MadeCommit> {
  const { tree, message } = commit;
  const from = await treeOf(remote.repo, commit.parents[0] ?? "");
  await makeTree({ github, clock }, remote.repo, { from, to: tree });
  const request = {
    route: "POST /repos/{owner}/{repo}/git/commits",
    parameters: { tree, message, parents: remoteParents(commit, ids) },
    purpose: { act: "make a commit", permission: "contents: write", reason: "git" },
  } as const;
  const { data } = await sendAgain(clock, () => github.ask(request));
  const { sha: id, verification } = Answer.parse(data);
  return { id, lacks: verification?.verified ? undefined : (verification?.reason ?? "unsigned") };
}

/** Requires the start commit on GitHub: a session never pushes commits of the base branch. */
export async function requireThere({ github }: ApiDeps, commit: string): Promise<void> {
  const request = {
    route: "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
    parameters: { commit_sha: commit },
    purpose: { act: "look for the start commit", permission: "contents: read", reason: "git" },
  } as const;
  try {
    await github.ask(request);
  } catch (error) {
    if (httpStatusOf(error) !== 404) throw error;
    throw new RalphError("git", {
      message: `The start commit ${shortCommit(commit)} is not on GitHub, so no commit can be made on top of it.`,
      remedy: "Push the base branch first, or set `commits: git`.",
      cause: error,
    });
  }
}
