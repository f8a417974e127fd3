import { type Html, markupOf } from "./html.ts";

/** A piece that may be left out where there is no room. The lowest rank is taken in first. */
export type Piece<Key> = { key: Key; rank: number; render: () => Html };

/** Renders as many pieces as there is room for, UTF-8 bytes, and tells what they are. */
export function fitPieces<Key>(pieces: readonly Piece<Key>[], maxBytes: number): Map<Key, Html> {
  const fitted = new Map<Key, Html>();
  let left = maxBytes;
  let misses = 0;
  for (const { key, render } of pieces.toSorted((a, b) => a.rank - b.rank)) {
    // What follows may be smaller; but not all of it need be tried.
    if (misses > 20) break;
    const piece = render();
    const bytes = bytesOf(piece);
    if (bytes > left) {
      misses += 1;
      continue;
    }
    left -= bytes;
    fitted.set(key, piece);
  }
  return fitted;
}

export const bytesOf = (piece: Html): number => Buffer.byteLength(markupOf(piece));
