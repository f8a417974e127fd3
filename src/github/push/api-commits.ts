import { branchRef } from "../../git/commits/move-branch.ts";
import { counted, shortCommit } from "../../text/figures.ts";
import { isUnsure, sendAgain } from "../api/create-once.ts";
import { type PushResult, readRemote } from "../api/remote.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";
import { type ApiDeps, makeCommit, requireThere } from "./api-commit.ts";
import { matchCommits, type RemoteIds, readShapes } from "./match-commits.ts";

/** `tip`: the branch's present commit; `moved`: it differs from the one seen before. */
export type ApiPush =
  | { kind: "moved"; tip: string | undefined }
  | {
      kind: "pushed";
      tip: string;
      /** All local commits that the branch holds now. */
      ids: RemoteIds;
      /** The commits made by this push, oldest first. */
      pairs: readonly CommitPair[];
      /** Why GitHub does not show all of them as verified; undefined: it does. */
      unverified: string | undefined;
    };

/** A local commit, and the one GitHub made from it. */
export interface CommitPair {
  local: string;
  remote: string;
}

/** `base`: an ancestor on GitHub; `from`: the branch's fetched tip; `to`: a local commit. */
export type ApiMove = { branch: string; base: string; from: string | undefined; to: string };

/** The branch moves after this many commits, so that a rate limit or a kill costs no more than these. */
const commitsPerMove = 25;

/**
 * Pushes through GitHub's API: GitHub makes the commits again, and signs them for an App. Commits that the branch already
 * holds are kept, so that a push can be killed anywhere and started again.
 */
export async function pushByApi(
  deps: ApiDeps,
  { branch, base, from, to }: ApiMove,
): Promise<ApiPush> {
  const local = await readShapes(deps.remote.repo, { base, tip: to });
  const ids = new Map(await heldCommits(deps.remote, { base, from, to }));
  const missing = local.filter(({ id }) => !ids.has(id));
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
    const result = await moveRef(deps, { branch, from: tip, to: id });
    if (result.kind === "moved") return result;
    tip = id;
  }
  return { kind: "pushed", tip: tip ?? base, ids, pairs, unverified };
}

type RefMove = { branch: string; from: string | undefined; to: string };

/**
 * Creates a branch, or moves it forward from `from` (undefined: it did not exist). A branch that has moved is left alone.
 * When the answer leaves the outcome open, the branch is read again (F53).
 */
async function moveRef(deps: ApiDeps, move: RefMove): Promise<PushResult> {
  return sendAgain(deps.clock, async () => {
    const before = await readMove(deps, move);
    if (before) return before;
    try {
      await sendMove(deps, move);
      return { kind: "pushed" };
    } catch (error) {
      if (!isUnsure(error) && httpStatusOf(error) !== 422) throw error;
      const after = await readMove(deps, move);
      if (after) return after;
      throw error;
    }
  });
}

/** Undefined: it has not moved. GitHub accepts any fast-forward, even of a branch that was reset. */
async function readMove(
  { remote }: ApiDeps,
  { branch, from, to }: RefMove,
): Promise<PushResult | undefined> {
  const { tip } = await readRemote(remote, branch);
  if (tip === to) return { kind: "pushed" };
  return tip === from ? undefined : { kind: "moved", tip };
}

function sendMove({ github }: ApiDeps, { branch, from, to: sha }: RefMove): Promise<unknown> {
  const act = `move the branch ${branch}`;
  const purpose = { act, permission: "contents: write", reason: "git" } as const;
  const move = { ...github.repo, sha };
  return github.ask<unknown>(purpose, ({ rest: { git } }) =>
    from === undefined
      ? git.createRef({ ...move, ref: branchRef(branch) })
      : git.updateRef({ ...move, ref: `heads/${branch}`, force: false }),
  );
}

/** The commits up to `to` that a branch at `from` holds, by their ids there. Both must be here. */
export async function heldCommits(
  { repo }: ApiDeps["remote"],
  { base, from, to }: Omit<ApiMove, "branch">,
): Promise<RemoteIds> {
  if (from === undefined) return new Map();
  const local = await readShapes(repo, { base, tip: to });
  return matchCommits(local, await readShapes(repo, { base, tip: from }));
}

/** The log of a push through the API. Pure. */
export function apiPushLines(push: ApiPush): string[] {
  if (push.kind === "moved" || push.pairs.length === 0) return [];
  const { pairs, unverified } = push;
  const ids = pairs.map(({ local, remote }) => `${shortCommit(local)} is ${shortCommit(remote)}`);
  const made = `GitHub made ${counted(pairs.length, "commit")} with new ids: ${ids.join(", ")}.`;
  if (unverified === undefined) return [made];
  const hint = "it signs only commits made with the token of an App or a job";
  return [made, `GitHub does not show them as verified (${unverified}): ${hint}.`];
}
