/** A path as the most forgiving file system compares it: without case and forms of accents. */
const fold = (path: string) => path.normalize("NFKC").toLowerCase();

/** The `changed` paths that are one file with another of `paths` on some file systems, where a checkout would differ. */
export function sameNames(changed: readonly string[], paths: readonly string[]): string[] {
  const twins = Map.groupBy(new Set([...paths, ...changed]), fold);
  return changed.filter((path) => (twins.get(fold(path))?.length ?? 0) > 1);
}
