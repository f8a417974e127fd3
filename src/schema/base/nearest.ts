/** The candidate nearest to a misspelt word, or undefined when none is close. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const same = candidates.find((candidate) => isSameName(candidate, word));
  if (same !== undefined) return same;
  const { length } = [...word];
  // Two edits allow two swapped letters; in very short words they would match anything.
  const limit = length < 4 ? 1 : Math.max(2, Math.floor(length / 3));
  const near = candidates
    .filter((candidate) => Math.abs(candidate.length - length) <= limit)
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ distance }) => distance <= limit);
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.candidate;
}

/** Whether two names differ only in how their words are joined: `baseBranch`, `base-branch`, `base_branch`. */
export function isSameName(one: string, other: string): boolean {
  return joined(one) === joined(other);
}

const joined = (name: string) => name.replace(/[-_]/g, "").toLowerCase();

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
