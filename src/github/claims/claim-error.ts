import { RalphError } from "../../error.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { GitHub } from "../api/create-github.ts";
import { type ClaimNote, claimRef, holderName } from "./claim-note.ts";

/** Exit 24: somebody works on the item. */
export function claimHeld(
  github: GitHub,
  { item, holder, url, expires_at: until }: ClaimNote,
): RalphError {
  const who = holderName(holder);
  return new RalphError("claim", {
    message: `${item} is taken by ${who} (${plainLine(url, 500)}) until ${until} at the latest.`,
    remedy: `Wait until it has ended, or cancel it. When it is gone for good: ${freeing(github, item)}`,
  });
}

/** Exit 24: the item's ref says nothing we understand, so it is left alone. */
export function claimUnreadable(github: GitHub, item: string): RalphError {
  return new RalphError("claim", {
    message: `${claimRef(item)} is not at a claim that can be read, so nobody can tell who works on ${item}.`,
    remedy: `Look at it with a newer ralph; when nobody works on it: ${freeing(github, item)}`,
  });
}

/** Exit 24: an item that was ours is so no longer. */
export function claimLost(item: string, why: string): RalphError {
  return new RalphError("claim", {
    message: `The claim on ${item} is not ours any more: ${why}. Nothing was pushed.`,
    remedy: "See what came of the other run, then start the workflow anew if work is left.",
  });
}

/** Exit 24: whenever we tried, somebody was faster. */
export function claimContested(item: string): RalphError {
  return new RalphError("claim", {
    message: `${item} could not be taken: others took and released it at the same moment.`,
    remedy: "Start the workflow again.",
  });
}

const freeing = ({ repository }: GitHub, item: string) =>
  `\`gh api -X DELETE repos/${repository}/git/${claimRef(item)}\``;
