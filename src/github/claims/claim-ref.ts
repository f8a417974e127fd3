import * as z from "zod";
import type { Clock } from "../../platform/system.ts";
import type { ApiAnswer, GitHub } from "../api/create-github.ts";
import { isUnsure, lookFor, sendAgain } from "../api/create-once.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";
import {
  type ClaimNote,
  claimRef,
  claimsFolder,
  itemOfRef,
  parseClaim,
  renderClaim,
} from "./claim-note.ts";

/** Claims need no checkout, only the API and the time. */
export interface ClaimDeps {
  github: GitHub;
  clock: Pick<Clock, "now" | "sleep">;
}

/** The commit an item's ref points to; `note` is undefined when it is not a claim. */
export interface ClaimTip {
  commit: string;
  tree: string;
  note: ClaimNote | undefined;
}

/** `moved`: the ref points to our commit. `overtaken`: another run was faster, and our commit has no effect. */
export type Move = { kind: "moved"; tip: ClaimTip } | { kind: "overtaken" };

const Ref = z.object({ ref: z.string(), object: z.object({ type: z.string(), sha: z.string() }) });
const Refs = z.array(Ref);
const Commit = z.object({
  sha: z.string(),
  message: z.string(),
  tree: z.object({ sha: z.string() }),
});
const Tree = z.object({ sha: z.string() });

const purposeOf = (act: string, permission: "contents: read" | "contents: write") =>
  ({ act, permission, reason: "git" }) as const;

/** Reads the commit an item's ref points to; undefined when there is no such ref. */
export async function readTip({ github }: ClaimDeps, item: string): Promise<ClaimTip | undefined> {
  const purpose = purposeOf(`read who works on ${item}`, "contents: read");
  const answer = await unlessMissing(
    github.ask({
      route: "GET /repos/{owner}/{repo}/git/ref/{ref}",
      parameters: { ref: withoutRefs(claimRef(item)) },
      purpose,
    }),
  );
  if (!answer) return undefined;
  const { type, sha } = Ref.parse(answer.data).object;
  const tip = type === "commit" ? await readClaimCommit(github, { item, commit: sha }) : undefined;
  return tip ?? { commit: sha, tree: "", note: undefined };
}

/** Reads one commit of an item's claims; undefined when it does not exist. */
export async function readClaimCommit(
  github: GitHub,
  { item, commit }: { item: string; commit: string },
): Promise<ClaimTip | undefined> {
  const answer = await unlessMissing(
    github.ask({
      route: "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
      parameters: { commit_sha: commit },
      purpose: purposeOf(`read the claim on ${item}`, "contents: read"),
    }),
  );
  if (!answer) return undefined;
  const { message, tree } = Commit.parse(answer.data);
  return { commit, tree: tree.sha, note: parseClaim(message, item) };
}

/** All items ever claimed whose name begins with `prefix`. */
export async function listClaimedItems(
  { github }: Pick<ClaimDeps, "github">,
  prefix = "",
): Promise<string[]> {
  // GitHub returns this list on one page.
  const { data } = await github.ask({
    route: "GET /repos/{owner}/{repo}/git/matching-refs/{ref}",
    parameters: { ref: `${withoutRefs(claimsFolder)}${prefix}`, per_page: 100 },
    purpose: purposeOf("list the claims", "contents: read"),
  });
  return Refs.parse(data).flatMap(({ ref }) => itemOfRef(ref) ?? []);
}

/**
 * Moves an item's ref to a commit with this note by compare-and-swap: creates it, or moves it forward from `from` without
 * force. When the answer leaves the outcome open, the ref is read again.
 */
export async function moveClaim(
  deps: ClaimDeps,
  { from, note }: { from: ClaimTip | undefined; note: ClaimNote },
): Promise<Move> {
  const made = await makeCommit(deps, { from, note });
  try {
    await (from ? follow(deps, made, note) : create(deps, made, note));
    return { kind: "moved", tip: made };
  } catch (error) {
    if (!isUnsure(error) && !isRefusedMove(error)) throw error;
    const tip = await lookFor(deps.clock, async () => {
      const found = await readTip(deps, note.item);
      return found?.commit === from?.commit ? undefined : found;
    });
    if (!tip) throw error;
    return tip.commit === made.commit ? { kind: "moved", tip: made } : { kind: "overtaken" };
  }
}

/** The form that addresses of the API use. */
const withoutRefs = (ref: string) => ref.replace(/^refs\//, "");

/** GitHub's answers to a compare-and-swap that no longer fits. */
const isRefusedMove = (error: unknown) => [409, 422].includes(httpStatusOf(error) ?? 0);

async function unlessMissing(answer: Promise<ApiAnswer>): Promise<ApiAnswer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (httpStatusOf(error) === 404) return undefined;
    throw error;
  }
}

type Draft = { from: ClaimTip | undefined; note: ClaimNote };

/** A commit made twice does no harm: no ref points to it yet. */
async function makeCommit({ github, clock }: ClaimDeps, { from, note }: Draft): Promise<ClaimTip> {
  const tree = from?.tree || (await makeTree({ github, clock }, note));
  const { data } = await sendAgain(clock, () =>
    github.ask({
      route: "POST /repos/{owner}/{repo}/git/commits",
      parameters: { message: renderClaim(note), tree, parents: from ? [from.commit] : [] },
      purpose: purposeOf(`claim ${note.item}`, "contents: write"),
    }),
  );
  return { commit: Commit.parse(data).sha, tree, note };
}

const readme = `This ref belongs to ralph. Its newest commit says which run works on an item, so that no second one begins.
It is no branch, and nothing of it is ever merged.
`;

/**
 * A tree of its own: with a branch's tree, GitHub would require the `workflows` permission as soon as the branch's
 * workflows have changed.
 */
async function makeTree({ github, clock }: ClaimDeps, { item }: ClaimNote): Promise<string> {
  const entry = { path: "README.md", mode: "100644", type: "blob", content: readme };
  const { data } = await sendAgain(clock, () =>
    github.ask({
      route: "POST /repos/{owner}/{repo}/git/trees",
      parameters: { tree: [entry] },
      purpose: purposeOf(`claim ${item}`, "contents: write"),
    }),
  );
  return Tree.parse(data).sha;
}

function create(
  { github }: ClaimDeps,
  { commit }: ClaimTip,
  { item }: ClaimNote,
): Promise<ApiAnswer> {
  return github.ask({
    route: "POST /repos/{owner}/{repo}/git/refs",
    parameters: { ref: claimRef(item), sha: commit },
    purpose: purposeOf(`claim ${item}`, "contents: write"),
  });
}

/** Safe to repeat: a ref that is already there does not move. */
function follow(
  { github, clock }: ClaimDeps,
  { commit }: ClaimTip,
  { item, state }: ClaimNote,
): Promise<ApiAnswer> {
  return sendAgain(clock, () =>
    github.ask({
      route: "PATCH /repos/{owner}/{repo}/git/refs/{ref}",
      parameters: { ref: withoutRefs(claimRef(item)), sha: commit, force: false },
      purpose: purposeOf(`${state === "held" ? "claim" : "release"} ${item}`, "contents: write"),
    }),
  );
}
