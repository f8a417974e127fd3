import { sha256 } from "../../schema/session-files/checksum.ts";

const common = new Set(
  "a an and are as at be by do for from in into is it its not of on or our so that the this to we when with add added build create fix fixed implement implemented improve make new support update use repair repaired resolve resolved correct introduce complete completed done".split(
    " ",
  ),
);
const endings = /(?:ations?|ings?|ments?|ed|es|s|e)$/;

/** The stems that identify an item, sorted. */
export function itemKeywords(item: string): string[] {
  const words = item
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .slice(0, 2000)
    .match(/[\p{L}\p{N}]+/gu);
  const stems = (words ?? []).filter((word) => !common.has(word)).map(stem);
  return [...new Set(stems)].toSorted();
}

const stem = (word: string) => (word.length > 4 ? word.replace(endings, "") : word);

/** A short id of an item for markers in pull requests (design 6). The order and the endings of words do not change it. */
export function fingerprint(item: string): string {
  return sha256(itemKeywords(item).join(" ")).slice(0, 16);
}

/** Whether two texts name the same item: they share three quarters of their keywords. */
export function isSameItem(one: string, other: string): boolean {
  const [a, b] = [new Set(itemKeywords(one)), new Set(itemKeywords(other))];
  if (a.size === 0 || b.size === 0) return false;
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / (a.size + b.size - shared) >= 0.75;
}
