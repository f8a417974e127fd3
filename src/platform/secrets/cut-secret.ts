export type Edge = "start" | "end";

/** A run of token characters at an edge; real tokens are shorter than its limit. */
const tokenRuns: Record<Edge, RegExp> = {
  start: /^[\w.+/=~-]{1,1024}/,
  end: /[\w.+/=~-]{1,1024}$/,
};
/** A single character at an edge would match everywhere. */
const shortestPiece = 2;

/**
 * The number of characters at a cut edge that may be part of a secret: a piece of a known form or a run of token
 * characters, whichever is longer. Pure.
 */
export function measureCutSecret(
  part: string,
  { forms, edge }: { forms: readonly string[]; edge: Edge },
): number {
  const near = edge === "start" ? part.slice(0, 1024) : part.slice(-1024);
  const run = tokenRuns[edge].exec(near)?.[0].length ?? 0;
  return forms.reduce(
    (longest, form) => Math.max(longest, measurePiece(part, { form, edge })),
    run,
  );
}

function measurePiece(part: string, { form, edge }: { form: string; edge: Edge }): number {
  for (let length = Math.min(form.length - 1, part.length); length >= shortestPiece; length--) {
    const isPiece =
      edge === "start"
        ? part.startsWith(form.slice(-length))
        : part.endsWith(form.slice(0, length));
    if (isPiece) return length;
  }
  return 0;
}
