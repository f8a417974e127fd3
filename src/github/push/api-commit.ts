import * as z from "zod";
import { RalphError } from "../../error.ts";
import { treeOf } from "../../git/trees/objects.ts";
import { sendAgain } from "../api/create-once.ts";
import type { Remote } from "../api/remote.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";
import type { PublishDeps } from "../publication/publish-deps.ts";
import { makeTree } from "./api-tree.ts";
import { type CommitShape, type RemoteIds, remoteParents } from "./match-commits.ts";

/** What it takes to push through GitHub's API: `remote` tells what is there, and holds our own objects. */
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
 * Makes one of our commits on GitHub, where its parents are (`ids`): the same tree and message. No author is named, so
 * that GitHub signs it. Nothing points to it yet: one that is made twice does no harm.
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

/** The commit everything is made on must be on GitHub: nothing of the base branch goes there with the session. */
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
      message: `The start commit ${commit.slice(0, 12)} is not on GitHub, so no commit can be made on it there.`,
      remedy: "Push the base branch first, or set `commits: git`.",
      cause: error,
    });
  }
}
