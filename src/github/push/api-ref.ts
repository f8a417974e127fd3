import { branchRef } from "../../git/commits/move-branch.ts";
import type { ApiRequest } from "../api/create-github.ts";
import { isUnsure, sendAgain } from "../api/create-once.ts";
import { type PushResult, readRemote } from "../api/remote.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";
import type { ApiDeps } from "./api-commit.ts";

type Move = { branch: string; from: string | undefined; to: string };

/**
 * Makes a branch, or moves it forward, from where it was seen (undefined: it was not there). One that stands elsewhere
 * by now is left alone. An answer that leaves it open is followed by a look (F53).
 */
export async function moveByApi(deps: ApiDeps, move: Move): Promise<PushResult> {
  return sendAgain(deps.clock, async () => {
    const before = await look(deps, move);
    if (before) return before;
    try {
      await deps.github.ask(requestFor(move));
      return { kind: "pushed" };
    } catch (error) {
      if (!isUnsure(error) && httpStatusOf(error) !== 422) throw error;
      const after = await look(deps, move);
      if (after) return after;
      throw error;
    }
  });
}

/** Undefined: it has not moved. GitHub itself takes every fast-forward, also of a branch somebody has put back. */
async function look(
  { remote }: ApiDeps,
  { branch, from, to }: Move,
): Promise<PushResult | undefined> {
  const { tip } = await readRemote(remote, branch);
  if (tip === to) return { kind: "pushed" };
  return tip === from ? undefined : { kind: "moved", tip };
}

function requestFor({ branch, from, to: sha }: Move): ApiRequest {
  const purpose = {
    act: `move the branch ${branch}`,
    permission: "contents: write",
    reason: "git",
  } as const;
  if (from === undefined) {
    const parameters = { ref: branchRef(branch), sha };
    return { route: "POST /repos/{owner}/{repo}/git/refs", parameters, purpose };
  }
  const parameters = { ref: `heads/${branch}`, sha, force: false };
  return { route: "PATCH /repos/{owner}/{repo}/git/refs/{ref}", parameters, purpose };
}
