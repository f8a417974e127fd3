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

/** What claims need: no checkout, only the API and the time. */
export interface ClaimDeps {
  github: GitHub;
  clock: Pick<Clock, "now" | "sleep">;
}

/** Where an item's ref stands; without a note it is at something we did not write. */
export interface ClaimTip {
  commit: string;
  tree: string;
  note: ClaimNote | undefined;
}

/** `moved`: the ref is at our commit. `overtaken`: somebody else was faster, and ours counts for nothing. */
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

/** Reads where an item's ref stands; undefined: there is none. */
export async function readTip({ github }: ClaimDeps, item: string): Promise<ClaimTip | undefined> {
  const purpose = purposeOf(`look who works on ${item}`, "contents: read");
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

/** Reads one commit of an item's claims; undefined: it is gone, or never was. */
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

/** The items that were ever claimed; `prefix`: those whose name begins with it. */
export async function listClaimedItems(
  { github }: Pick<ClaimDeps, "github">,
  prefix = "",
): Promise<string[]> {
  // GitHub answers this list whole.
  const { data } = await github.ask({
    route: "GET /repos/{owner}/{repo}/git/matching-refs/{ref}",
    parameters: { ref: `${withoutRefs(claimsFolder)}${prefix}`, per_page: 100 },
    purpose: purposeOf("list what is worked on", "contents: read"),
  });
  return Refs.parse(data).flatMap(({ ref }) => itemOfRef(ref) ?? []);
}

/**
 * Moves an item's ref on to a commit with this note, by compare-and-swap: it is created, or follows `from` without force.
 * Whatever GitHub answers, the ref itself tells what became of it.
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

/** As the API wants it in an address. */
const withoutRefs = (ref: string) => ref.replace(/^refs\//, "");

/** GitHub's answers to what no longer fits, whatever words it has for it. */
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

/** Made twice, a commit that no ref points to disturbs nobody. */
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
 * A tree of our own: with that of a branch, GitHub would ask for the right to change workflows as soon as the branch's
 * have changed.
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

/** Twice is once: a ref that is there already does not move. */
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
