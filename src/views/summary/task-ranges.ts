const maxParts = 12;

/** `T-001 to T-004, T-007`: consecutive ids as ranges. Ids without a number are listed one by one. */
export function taskRanges(ids: readonly string[]): string {
  const runs: { first: string; last: string; count: number }[] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run && follows(id, run.last)) Object.assign(run, { last: id, count: run.count + 1 });
    else runs.push({ first: id, last: id, count: 1 });
  }
  const parts = runs.map(({ first, last, count }) => {
    if (count === 1) return first;
    return count === 2 ? `${first}, ${last}` : `${first} to ${last}`;
  });
  const more = parts.length - maxParts;
  return more > 0 ? `${parts.slice(0, maxParts).join(", ")} and others` : parts.join(", ");
}

const numberOf = (id: string) => Number(/^T-(\d{1,9})$/.exec(id)?.[1] ?? Number.NaN);

const follows = (id: string, before: string) => numberOf(id) === numberOf(before) + 1;
