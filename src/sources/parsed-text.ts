import type { Problem } from "../error.ts";

/** Something wrong in a text whose name is known to the caller. */
export type Mistake = Omit<Problem, "file">;

/** Both count from 1. */
export type Position = { line: number; column: number };

/** Where the value at a path stands, or the nearest part around it when there is no such value. */
export type Locate = (path: readonly PropertyKey[]) => Position;

/** Bytes that claim to be text, and how many of them we are willing to look at. */
export type TextSource = { bytes: Uint8Array; file: string; maxBytes: number };

/** A value and where its parts stand. */
export type LocatedValue = { value: unknown; locate: Locate };

/**
 * What our parsers answer: a value with the place of each part, or what is wrong with the text. When that is no more
 * than keys that stand twice, `readable` is the value with the last of each: only to tell what else is wrong.
 */
export type ParsedText =
  | ({ kind: "parsed"; text: string } & LocatedValue)
  | { kind: "refused"; problems: Problem[]; readable?: LocatedValue };

/** Keys that change how an object behaves when somebody copies it carelessly (T60). */
export const forbiddenKeys: ReadonlySet<string> = new Set([
  "__proto__",
  "constructor",
  "prototype",
]);

export const repeatedKey = (name: string) =>
  `the key ${JSON.stringify(name)} stands here twice; remove one`;

/** No file of ours is nested deeper; parsers that call themselves would run out of stack (T60, T61). */
export const maxDepth = 100;

/** Line and column of an offset. Linear in the text, so only for what is reported. */
export function positionAt(text: string, offset: number): Position {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}
