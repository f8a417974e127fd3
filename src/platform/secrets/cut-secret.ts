export type Edge = "start" | "end";

/** Characters tokens are made of; real tokens are shorter than this run. */
const tokenRuns: Record<Edge, RegExp> = {
  start: /^[\w.+/=~-]{1,1024}/,
  end: /[\w.+/=~-]{1,1024}$/,
};
/** One character at an edge tells nothing and would match everywhere. */
const shortestPiece = 2;

/**
 * Pure. How many characters at an edge where text was cut off may be half a secret: a piece of a known form, or
 * a run of token characters, whichever is longer.
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
