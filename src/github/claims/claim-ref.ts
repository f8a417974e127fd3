import type { Clock } from "../../platform/system.ts";
import type { GitHub } from "../api/create-github.ts";
import { isUnsure, lookFor, sendAgain } from "../api/create-once.ts";
import { unlessStatus } from "../api/expected-refusals.ts";
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

const purposeOf = (act: string, permission: "contents: read" | "contents: write") =>
  ({ act, permission, reason: "git" }) as const;

/** Reads the commit an item's ref points to; undefined when there is no such ref. */
export async function readTip({ github }: ClaimDeps, item: string): Promise<ClaimTip | undefined> {
  const asked = github.ask(purposeOf(`read who works on ${item}`, "contents: read"), ({ rest }) =>
    rest.git.getRef({ ...github.repo, ref: withoutRefs(claimRef(item)) }),
  );
  const answer = await unlessStatus([404], asked);
  if (!answer) return undefined;
  const { type, sha } = answer.data.object;
  const tip = type === "commit" ? await readClaimCommit(github, { item, commit: sha }) : undefined;
  return tip ?? { commit: sha, tree: "", note: undefined };
}

/** Reads one commit of an item's claims; undefined when it does not exist. */
export async function readClaimCommit(
  github: GitHub,
  { item, commit }: { item: string; commit: string },
): Promise<ClaimTip | undefined> {
  const asked = github.ask(purposeOf(`read the claim on ${item}`, "contents: read"), ({ rest }) =>
    rest.git.getCommit({ ...github.repo, commit_sha: commit }),
  );
  const answer = await unlessStatus([404], asked);
  if (!answer) return undefined;
  const { message, tree } = answer.data;
  return { commit, tree: tree.sha, note: parseClaim(message, item) };
}

/** All items ever claimed whose name begins with `prefix`. */
export async function listClaimedItems(
  { github }: Pick<ClaimDeps, "github">,
  prefix = "",
): Promise<string[]> {
  // GitHub returns this list on one page.
  const { data } = await github.ask(purposeOf("list the claims", "contents: read"), ({ rest }) =>
    rest.git.listMatchingRefs({ ...github.repo, ref: `${withoutRefs(claimsFolder)}${prefix}` }),
  );
  return data.flatMap(({ ref }) => itemOfRef(ref) ?? []);
}

/**
 * Moves an item's ref to a commit with this note by compare-and-swap: creates it, or moves it forward from `from` without
 * force. When the answer leaves the outcome open, the ref is read again.
 */
export async function moveClaim(deps: ClaimDeps, { from, note }: Draft): Promise<Move> {
  const made = await makeCommit(deps, { from, note });
  try {
    await (from ? follow(deps, made, note) : create(deps, made, note));
    return { kind: "moved", tip: made };
  } catch (error) {
    // With these statuses GitHub refuses a compare-and-swap that no longer fits.
    if (!isUnsure(error) && ![409, 422].includes(httpStatusOf(error) ?? 0)) throw error;
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

type Draft = { from: ClaimTip | undefined; note: ClaimNote };

/** A commit made twice does no harm: no ref points to it yet. */
async function makeCommit(deps: ClaimDeps, { from, note }: Draft): Promise<ClaimTip> {
  const { github, clock } = deps;
  const tree = from?.tree || (await makeTree(deps, note));
  const parents = from ? [from.commit] : [];
  const { data } = await sendAgain(clock, () =>
    github.ask(purposeOf(`claim ${note.item}`, "contents: write"), ({ rest }) =>
      rest.git.createCommit({ ...github.repo, message: renderClaim(note), tree, parents }),
    ),
  );
  return { commit: data.sha, tree, note };
}

const readme = `This ref belongs to ralph. Its newest commit says which run works on an item, so that no second one begins.
It is no branch, and nothing of it is ever merged.
`;

/**
 * A tree of its own: with a branch's tree, GitHub would require the `workflows` permission as soon as the branch's
 * workflows have changed.
 */
async function makeTree({ github, clock }: ClaimDeps, { item }: ClaimNote): Promise<string> {
  const entry = { path: "README.md", mode: "100644", type: "blob", content: readme } as const;
  const { data } = await sendAgain(clock, () =>
    github.ask(purposeOf(`claim ${item}`, "contents: write"), ({ rest }) =>
      rest.git.createTree({ ...github.repo, tree: [entry] }),
    ),
  );
  return data.sha;
}

function create({ github }: ClaimDeps, { commit: sha }: ClaimTip, { item }: ClaimNote) {
  return github.ask(purposeOf(`claim ${item}`, "contents: write"), ({ rest }) =>
    rest.git.createRef({ ...github.repo, ref: claimRef(item), sha }),
  );
}

/** Safe to repeat: a ref that is already there does not move. */
function follow(
  { github, clock }: ClaimDeps,
  { commit: sha }: ClaimTip,
  { item, state }: ClaimNote,
) {
  const act = `${state === "held" ? "claim" : "release"} ${item}`;
  const ref = withoutRefs(claimRef(item));
  return sendAgain(clock, () =>
    github.ask(purposeOf(act, "contents: write"), ({ rest }) =>
      rest.git.updateRef({ ...github.repo, ref, sha, force: false }),
    ),
  );
}
