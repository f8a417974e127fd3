import type { Problem } from "../error.ts";

/** A mistake in a text whose name the caller knows. */
export type Mistake = Omit<Problem, "file">;

/** Both count from 1. */
export type Position = { line: number; column: number };

/** The position of the value at a path, or of the nearest part around it when there is no such value. */
export type Locate = (path: readonly PropertyKey[]) => Position;

/** Bytes that should be text, and the most bytes that are read. */
export type TextSource = { bytes: Uint8Array; file: string; maxBytes: number };

/** A value and the positions of its parts. */
export type LocatedValue = { value: unknown; locate: Locate };

/**
 * The result of a parser: a value with the position of each part, or the text's mistakes. When these are only repeated
 * keys, `readable` is the value with the last of each, for finding further problems.
 */
export type ParsedText =
  | ({ kind: "parsed"; text: string } & LocatedValue)
  | { kind: "refused"; problems: Problem[]; readable?: LocatedValue };

/** Keys that change an object's behaviour when it is copied carelessly (T60). */
export const forbiddenKeys: ReadonlySet<string> = new Set([
  "__proto__",
  "constructor",
  "prototype",
]);

export const repeatedKey = (name: string) =>
  `the key ${JSON.stringify(name)} is repeated here; remove one`;

/** Deeper nesting could exhaust the stack of recursive parsers (T60, T61). */
export const maxDepth = 100;

/** Line and column of an offset. Linear in the text, so only for reported problems. */
export function positionAt(text: string, offset: number): Position {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}
