/** Whether files of this language usually hold tests beside their code, at their end. */
export const holdsTests = (path: string): boolean => path.endsWith(".rs");

/** The line on which the tests of such a file begin; infinity where it has none. */
export function firstTestLine(path: string, text: string): number {
  if (!holdsTests(path)) return Number.POSITIVE_INFINITY;
  const at = text.split("\n").findIndex((line) => /^#\[cfg\(test\)\]/.test(line));
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
}
