import type { suspicious } from "../proof/judge-proof.ts";
import type { NumberedLine } from "../proof/mutants.ts";
import { isTestSupport } from "../proof/own-tests.ts";
import type { FileRole } from "./file-roles.ts";

/** Why people should read a line, because no run of a test can tell what it does. */
type Suspicion = Exclude<keyof typeof suspicious, "settings-of-criteria">;

/** Lines that a change adds to a file with this role, and that people should read. */
export function suspiciousLines(
  { path, role }: { path: string; role: FileRole },
  lines: readonly NumberedLine[],
): { line: number; because: Suspicion }[] {
  const kinds = /(?:^|\/)go\.mod$/.test(path)
    ? ofModules
    : byRole[isTestSupport(path) ? "test" : role];
  return lines.flatMap(({ line, text }) => {
    if (kinds === undefined || (isComment.test(text) && !isDirective.test(text))) return [];
    const found = kinds.find(({ pattern }) => pattern.test(text));
    return found ? [{ line, because: found.because }] : [];
  });
}

const isComment = /^\s*(?:\/\/|#(?!\[)|\/?\*|--)/;
/** Go compiles a file by what such a comment says. */
const isDirective = /^\/\/(?:go:build|\s*\+build)\s/;

type Kind = { because: Suspicion; pattern: RegExp };

const oneOf = (...patterns: RegExp[]) =>
  new RegExp(patterns.map(({ source }) => `(?:${source})`).join("|"));

const asks = oneOf(
  /NODE_TEST_CONTEXT|JEST_WORKER_ID|PYTEST_CURRENT_TEST|PYTEST_VERSION|AVA_PATH|MOCHA_\w+|NEXTEST/,
  /\bVITEST\b|\bRALPH_\w+/,
  /NODE_ENV\b.{0,12}["'`]test/,
  /\btesting\.Testing\(\)|flag\.Lookup\(\s*["'`]test\.|\bcfg(?:!\(\s*|\(\s*not\(\s*)test\b/,
  /^\/\/(?:go:build|\s*\+build)\s.*\b(?:\w*tests?|ci|mock\w*)\b/,
  /sys\.modules.*(?:unittest|pytest)|["'](?:unittest|pytest)["']\s+in\s+sys\.modules/,
  /\.(?:test|spec)\.[cm]?[jt]sx?\b/,
  /\.stack\b.*(?:test|spec)|argv.*["'`]--?test/,
  /(?:os\.Args|argv|execPath).*["'`][\w./-]*(?:test|jest|mocha)["'`]/,
  /getenv\(\s*["'](?:CI|TEST\w*)["']|env\.(?:CI|TEST\w*)\b/,
);

const reads =
  /(?:read\w*|open|Path|URL|join|resolve)\(.*["'`](?:[^"'`]*\/)?(?:__tests__|tests?|specs?|testdata|fixtures)\b/i;

const changes = oneOf(
  /\bassert(?:\.\w+|\[[^\]]+\])*\s*=(?![=>])/,
  /\b(?:TestCase|expect|chai|unittest|pytest|jest|vitest)(?:\.\w+|\[[^\]]+\])+\s*=(?![=>])/,
  /\bdefineProperty\(\s*(?:assert|expect|process)\b/,
  /process\.(?:reallyExit|exitCode\s*=\s*0)|\bos\._exit\(\s*0|\bModule\._(?:load|resolve)/,
  /(?:from|require\()\s*["'`](?:node:test|vitest|@jest\/globals|mocha|chai|ava|tape)["'`]/,
);

/** The clock compared with a date in the text. */
const waits =
  /(?:Date\.now\(\)|new Date\(\)|time\.(?:time\(\)|Now\(\))|\b(?:datetime|date)\.(?:now|today|utcnow)\(|SystemTime::now).*(?:[<>]|\.(?:After|Before)\().*(?:\b1\d{9,12}\b|\b1_\d{3}_|Date\.UTC|\b20\d\d\b)/;

/** The exit code, functions that assert, and hooks of a runner: they reach the tests beside them too. */
const ends = oneOf(
  /\bassert(?:\.\w+|\[[^\]]+\])+\s*=(?![=>])/,
  /\b(?:TestCase|expect|chai|unittest|pytest)(?:\.\w+)+\s*=(?![=>])/,
  /\bprocess\.(?:reallyExit\s*=|exitCode\s*=\s*0|exit\(\s*0?\s*\))/,
  /\bos\.(?:_exit\(\s*0|Exit\(\s*0)|\bsys\.exit\(\s*0?\s*\)|\bprocess::exit\(\s*0/,
  /\bfunc\s+TestMain\(|\bdef\s+pytest_(?:runtest|collection|sessionfinish|pyfunc)\w*|\.outcome\s*=(?!=)/,
);

/** A test that reads code can tell every change of it, and knows nothing of what it does. Samples and outputs are no code of the product. */
const readsCode =
  /(?:\bread\w*|\bopen|\binclude_(?:str|bytes)!|get_contents|ReadFile)\(.*["'`](?![^"'`]*(?:fixture|testdata|sample|snapshot|golden|expected|te?mp\b|\bout|dist|build))[^"'`]*\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|php|cs|cpp|swift)["'`]/i;

/** Options of a test, not of the code it calls. */
const triesAgain = oneOf(
  /\bretryTimes\(\s*[1-9]|\bthis\.retries\(\s*[1-9]|\bmark\.flaky\b/,
  /(?:\b(?:test|it|describe)(?:\.\w+)*|\.setConfig|\.configure)\(.*\bretr(?:y|ies)\s*:\s*(?:[1-9]|\{)/,
);

const byRole: Partial<Record<FileRole, readonly Kind[]>> = {
  product: [
    { because: "asks-whether-it-is-tested", pattern: asks },
    { because: "reads-tests", pattern: reads },
    { because: "waits-for-a-date", pattern: waits },
    { because: "changes-how-tests-run", pattern: changes },
  ],
  test: [
    { because: "decides-how-tests-end", pattern: ends },
    { because: "reads-code", pattern: readsCode },
    { because: "tries-again", pattern: triesAgain },
  ],
};

const ofModules: readonly Kind[] = [
  { because: "replaces-a-package", pattern: /=>\s*(?:\.{1,2}\/|\/)/ },
];
