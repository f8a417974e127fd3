/** Settings that belong to the tests: new tests may need what they gain, such as a fixture. */
export const isTestSupport = (path: string): boolean =>
  /(?:^|\/)(?:conftest\.py|(?:vitest|jest|mocha|tests?)[.-]?setup[\w.-]*|setup[.-]?(?:vitest|jest|tests?)[\w.-]*\.\w+)$/i.test(
    path,
  );

/** Whether files of this language usually hold tests beside their code, at their end. */
export const holdsTests = (path: string): boolean => path.endsWith(".rs");

/** The line on which the tests of such a file begin, after its last public code; infinity where it has none. */
export function firstTestLine(path: string, text: string): number {
  if (!holdsTests(path)) return Number.POSITIVE_INFINITY;
  const from = text.lastIndexOf("\npub") + 1;
  const at = text.slice(from).search(ownTests);
  return at < 0 ? Number.POSITIVE_INFINITY : text.slice(0, from + at).split("\n").length;
}

/** A module of tests, or tests without one. Imports and helpers for tests may stand anywhere in the code. */
const ownTests =
  /^#\[(?:cfg\(test\)\]\s*(?:#\[.*\]\s*)*mod\s+\w+\s*\{|test\]\s*(?:#\[.*\]\s*)*fn\s)/m;

/** The code of one version of such a file with the tests of another; undefined where that has no other tests. */
export function withTestsOf(path: string, code: string, tests: string): string | undefined {
  const [own, laid] = [partsOf(path, code), partsOf(path, tests)];
  return laid.tests === "" || laid.tests === own.tests ? undefined : own.code + laid.tests;
}

function partsOf(path: string, text: string): { code: string; tests: string } {
  const lines = text.split(/^/m);
  const at = firstTestLine(path, text) - 1;
  return { code: lines.slice(0, at).join(""), tests: lines.slice(at).join("") };
}
