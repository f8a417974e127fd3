import { RalphError } from "../../error.ts";
import { treeOf } from "../../git/trees/objects.ts";
import { shortCommit } from "../../text/figures.ts";
import { sendAgain } from "../api/create-once.ts";
import type { Remote } from "../api/remote.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";
import type { PublishDeps } from "../publication/publish-request.ts";
import { makeTree } from "./api-tree.ts";
import { type CommitShape, type RemoteIds, remoteParents } from "./match-commits.ts";

/** Dependencies of a push through GitHub's API; `remote` gives access to the branch and the local objects. */
export type ApiDeps = Pick<PublishDeps, "github" | "clock"> & { remote: Remote };

/** A commit on GitHub; `lacks`: why it is not shown as verified. */
export interface MadeCommit {
  id: string;
  lacks: string | undefined;
}

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
  const parents = remoteParents(commit, ids);
  const purpose = { act: "make a commit", permission: "contents: write", reason: "git" } as const;
  const { data } = await sendAgain(clock, () =>
    github.ask(purpose, ({ rest }) =>
      rest.git.createCommit({ ...github.repo, tree, message, parents }),
    ),
  );
  const { verified, reason } = data.verification;
  return { id: data.sha, lacks: verified ? undefined : reason };
}

/** Requires the start commit on GitHub: a session never pushes commits of the base branch. */
export async function requireThere({ github }: ApiDeps, commit: string): Promise<void> {
  try {
    await github.ask(
      { act: "look for the start commit", permission: "contents: read", reason: "git" },
      ({ rest }) => rest.git.getCommit({ ...github.repo, commit_sha: commit }),
    );
  } catch (error) {
    if (httpStatusOf(error) !== 404) throw error;
    throw new RalphError("git", {
      message: `The start commit ${shortCommit(commit)} is not on GitHub, so no commit can be made on top of it.`,
      remedy: "Push the base branch first, or set `commits: git`.",
      cause: error,
    });
  }
}
