import { counted } from "../../text/figures.ts";
import { type ApiDeps, makeCommit, requireThere } from "./api-commit.ts";
import { moveByApi } from "./api-ref.ts";
import { matchCommits, type RemoteIds, readShapes } from "./match-commits.ts";

/** `tip`: where the branch stands; elsewhere than it was seen when it has `moved`. */
export type ApiPush =
  | { kind: "moved"; tip: string | undefined }
  | {
      kind: "pushed";
      tip: string;
      /** Everything of ours the branch holds now. */
      ids: RemoteIds;
      /** What of it was made by this push, oldest first. */
      pairs: readonly CommitPair[];
      /** Why GitHub does not show all of that as verified; undefined: it does. */
      unverified: string | undefined;
    };

/** A commit of ours, and the one GitHub made of it. */
export interface CommitPair {
  local: string;
  remote: string;
}

/** `base`: a commit below all of it that GitHub has; `from`: where the branch was seen, fetched; `to`: a commit here. */
export type ApiMove = { branch: string; base: string; from: string | undefined; to: string };

/** The branch moves after that many commits, so that a limit or a kill costs no more than these. */
const commitsPerMove = 25;

/**
 * What `pushBranch` does, through GitHub's API: commits are made anew there, and signed where an App makes them. Those the
 * branch holds already are gone on with, so that it can be killed anywhere and started again.
 */
export async function pushByApi(
  deps: ApiDeps,
  { branch, base, from, to }: ApiMove,
): Promise<ApiPush> {
  const ours = await readShapes(deps.remote.repo, { base, tip: to });
  const ids = new Map(await heldCommits(deps.remote, { base, from, to }));
  const missing = ours.filter(({ id }) => !ids.has(id));
  if (ids.size === 0) await requireThere(deps, base);
  const pairs: CommitPair[] = [];
  let unverified: string | undefined;
  let tip = from;
  for (const commit of missing) {
    const { id, lacks } = await makeCommit(deps, commit, ids);
    ids.set(commit.id, id);
    unverified ??= lacks;
    const isTurn = pairs.push({ local: commit.id, remote: id }) % commitsPerMove === 0;
    if (!isTurn && commit !== missing.at(-1)) continue;
    const result = await moveByApi(deps, { branch, from: tip, to: id });
    if (result.kind === "moved") return result;
    tip = id;
  }
  return { kind: "pushed", tip: tip ?? base, ids, pairs, unverified };
}

/** Which commits up to `to` a branch at `from` holds, by whatever ids. Both are here. */
export async function heldCommits(
  { repo }: ApiDeps["remote"],
  { base, from, to }: Omit<ApiMove, "branch">,
): Promise<RemoteIds> {
  if (from === undefined) return new Map();
  const ours = await readShapes(repo, { base, tip: to });
  return matchCommits(ours, await readShapes(repo, { base, tip: from }));
}

/** What people should know of a push through the API. Pure. */
export function apiPushLines(push: ApiPush): string[] {
  if (push.kind === "moved" || push.pairs.length === 0) return [];
  const { pairs, unverified } = push;
  const short = (id: string) => id.slice(0, 12);
  const ids = pairs.map(({ local, remote }) => `${short(local)} is ${short(remote)}`).join(", ");
  const made = `GitHub made ${counted(pairs.length, "commit")} with ids of its own: ${ids}.`;
  const hint = "it signs what is made with the token of an App or of a job";
  return unverified === undefined
    ? [made]
    : [made, `GitHub does not show them as verified (${unverified}): ${hint}.`];
}
