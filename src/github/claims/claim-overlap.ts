import { type ClaimNote, isFree } from "./claim-note.ts";
import { type ClaimDeps, listClaimedItems, readTip } from "./claim-ref.ts";

/** How many reports of their own name are looked at; their refs stay for ever. */
const maxLooks = 100;
const oneReport = "report-";

/**
 * A claim of somebody else's on another item that stands for the same work: whoever holds all reports may choose any of
 * them, and the issue it was started for.
 */
export async function findOverlap(
  deps: ClaimDeps,
  { item, also }: Pick<ClaimNote, "item" | "also">,
  isOwn: (note: ClaimNote) => boolean,
): Promise<ClaimNote | undefined> {
  for (const other of await otherNames(deps, { item, also })) {
    const note = (await readTip(deps, other))?.note;
    if (!note || isOwn(note) || isFree(note, deps.clock.now())) continue;
    if (isSameWork({ item, also }, note)) return note;
  }
  return undefined;
}

type Names = Pick<ClaimNote, "item" | "also">;

/** Items that may stand for the same work. */
async function otherNames(deps: ClaimDeps, { item, also }: Names): Promise<string[]> {
  if (item.startsWith("issue-") || item.startsWith(oneReport)) return ["reports"];
  if (item !== "reports") return [];
  const reports = await listClaimedItems(deps, oneReport);
  return [...(also ? [also] : []), ...reports.slice(0, maxLooks)];
}

/** Pure. */
function isSameWork(one: Names, other: Names): boolean {
  const isReport = one.item.startsWith(oneReport) || other.item.startsWith(oneReport);
  return isReport || one.item === other.also || one.also === other.item;
}
