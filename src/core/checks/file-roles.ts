import { type FlaggedChange, type FlagRules, flagOf } from "./flagged-changes.ts";
import { pathMatcher } from "./path-pattern.ts";

/**
 * The role of a changed file in the proof: `control` files decide what gates do, a `script` only runs checks for a gate, and
 * `other` files (documents, lock files, generated and binary files, benches) are never taken back.
 */
export type FileRole = "test" | "control" | "script" | "product" | "other";

/** A function from a path to its role. Protected paths are refused earlier. */
export function roleTeller({ testPaths, gateCommands }: FlagRules): (path: string) => FileRole {
  const flag = flagOf(gateCommands);
  const isTest = testMatcher(testPaths);
  return (path) => {
    if (isOutOfSight(path)) return "other";
    const because = flag(path);
    const flagged = because && flaggedRole(path, because);
    if (flagged) return flagged;
    if (isTest(path)) return "test";
    return isDocument(path) || isGenerated(path) ? "other" : "product";
  };
}

/** Undefined for a file that a gate only runs: its name says what else it is. */
function flaggedRole(path: string, because: FlaggedChange["because"]): FileRole | undefined {
  if (because === "gate-script") return isScript(path) ? "script" : undefined;
  const isAside = because === "lockfile" || because === "ignore-rules" || isGoModule.test(path);
  return isAside ? "other" : "control";
}

/** It lists packages, as lock files do. */
const isGoModule = /(?:^|\/)go\.mod$/;

/** Whether a path belongs to existing tests. A wide rule is safe: it only decides which old files are laid over new work. */
export function testMatcher(testPaths: readonly string[]): (path: string) => boolean {
  const isConfigured = pathMatcher(testPaths);
  const isExcluded = pathMatcher(
    testPaths.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1)),
  );
  return (path) => isConfigured(path) || (hasTestName(path) && !isExcluded(path));
}

const testFolders =
  /(?:^|\/)(?:tests?|__tests__|specs?|test-d|testing|testdata|fixtures|__fixtures__|__snapshots__|__mocks__|tap-snapshots)\//i;
const testNames =
  /(?:^|\/)(?:tests?\.[^/]+|test[-_.][^/]*|[^/]*[._-](?:test|spec|test-d)\.[^/]*|[^/]*_test\.[^/]*|test_[^/]*|conftest\.py|[^/]*(?:Test|Tests|Spec)\.(?:java|kt|cs|scala|php|swift))$/;

/** Of the files that gates name: shell scripts, what runs the tests, and folders in which projects keep such scripts. */
const isScript = (path: string) =>
  /\.(?:sh|bash|bat|cmd|ps1)$/i.test(path) ||
  (!testNames.test(path) &&
    (testFolders.test(path) ||
      /(?:^|\/)(?:scripts?|tools?|ci|\.ci|hack|bin|dev|util)\//i.test(path)));

const hasTestName = (path: string) => testFolders.test(path) || testNames.test(path);

/** Workflows and the like have names of tests without being any; no gate reads them. Benches are neither test nor product. */
const isOutOfSight = (path: string) =>
  /^\.(?:github|circleci|gitlab)\//.test(path) ||
  /^(?:\.?(?:travis|appveyor|gitlab-ci|azure-pipelines|codecov|readthedocs)\.ya?ml|jenkinsfile)$/i.test(
    path,
  ) ||
  /(?:^|\/)(?:bench\w*)\/|\.bench\.[^/]+$/.test(path);

const isDocument = (path: string) =>
  /\.(?:md|mdx|rst|txt|markdown|adoc|svg|png|jpe?g|gif|ico|webp|pdf)$/i.test(path) ||
  /(?:^|\/)(?:docs?|documentation|examples?|images)\//i.test(path) ||
  /(?:^|\/)(?:licen[cs]e|changes|changelog|contributors|authors|notice)[^/]*$/i.test(path) ||
  /(?:^|\/)\.(?:gitignore|gitattributes|editorconfig)$/.test(path);

const isGenerated = (path: string) =>
  /(?:^|\/)(?:dist|build|out|man)\/|\.min\.\w+$|\.d\.[cm]?ts$|\.pyi$/.test(path);
