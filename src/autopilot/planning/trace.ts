/** The origin of an item: the report, its digest, and its lines, counted from 1. */
export interface Source {
  path: string;
  sha256: string;
  lines?: { first: number; last: number };
}

export interface Requirement {
  /** FR-1, FR-2, ... */
  id: string;
  text: string;
}

/** Connects lines of the report with the tasks they led to. Commits and proofs follow by the id of the task. */
export interface Trace {
  source: Source;
  item: string;
  requirements: readonly Requirement[];
  tasks: readonly { id: string; requirements: readonly string[] }[];
  uncovered: readonly string[];
}

/** The lines a model claims, if the report has them. */
export function linesOf(
  [first, last]: readonly [number | undefined, number | undefined],
  count: number,
): Source["lines"] {
  const isLine = (line: number | undefined): line is number =>
    Number.isInteger(line) && line !== undefined && line >= 1 && line <= count;
  if (!isLine(first)) return undefined;
  return { first, last: isLine(last) && last >= first ? last : first };
}

export function renderSource({ path, lines }: Source): string {
  if (!lines) return path;
  return lines.first === lines.last
    ? `${path}, line ${lines.first}`
    : `${path}, lines ${lines.first} to ${lines.last}`;
}

/** Builds a trace. Ids of requirements that do not exist are left out. */
export function traceOf(
  { source, item, requirements }: Pick<Trace, "source" | "item" | "requirements">,
  tasks: Trace["tasks"],
): Trace {
  const known = new Set(requirements.map(({ id }) => id));
  const joined = tasks.map(({ id, requirements: claimed }) => ({
    id,
    requirements: [...new Set(claimed)].filter((one) => known.has(one)),
  }));
  const covered = new Set(joined.flatMap((task) => task.requirements));
  const uncovered = [...known].filter((id) => !covered.has(id));
  return { source, item, requirements, tasks: joined, uncovered };
}
