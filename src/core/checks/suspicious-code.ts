import type { NumberedLine } from "../proof/mutants.ts";

/** Why a line of product code can make tests say something else than what people get. */
type Suspicion = "asks-whether-it-is-tested" | "changes-how-tests-run";

const quoted = `["'\`]`;

const asks = new RegExp(
  [
    "NODE_TEST_CONTEXT|JEST_WORKER_ID|PYTEST_CURRENT_TEST|PYTEST_VERSION|AVA_PATH|MOCHA_\\w+|NEXTEST",
    "\\bVITEST\\b|\\bRALPH_\\w+",
    `NODE_ENV\\b.{0,12}${quoted}test`,
    "\\btesting\\.Testing\\(\\)",
    `sys\\.modules.*(?:unittest|pytest)|${quoted}(?:unittest|pytest)${quoted}\\s+in\\s+sys\\.modules`,
    "\\.(?:test|spec)\\.[cm]?[jt]sx?\\b",
    `\\.stack\\b.*(?:test|spec)|argv.*${quoted}--?test`,
    `getenv\\(\\s*${quoted}(?:CI|TEST\\w*)${quoted}|env\\.(?:CI|TEST\\w*)\\b`,
  ].join("|"),
);

const changes = new RegExp(
  [
    "\\bassert(?:\\.\\w+|\\[[^\\]]+\\])*\\s*=(?![=>])",
    "\\b(?:TestCase|expect|chai|unittest|pytest|jest|vitest)(?:\\.\\w+|\\[[^\\]]+\\])+\\s*=(?![=>])",
    "\\bdefineProperty\\(\\s*(?:assert|expect|process)\\b",
    "process\\.(?:reallyExit|exitCode\\s*=\\s*0)|\\bos\\._exit\\(\\s*0|\\bModule\\._(?:load|resolve)",
    `(?:from|require\\()\\s*${quoted}(?:node:test|vitest|@jest/globals|mocha|chai|ava|tape)${quoted}`,
  ].join("|"),
);

/** Lines of product code that people should read, because no run of a test can tell what they do outside of it. */
export function suspiciousLines(
  lines: readonly NumberedLine[],
): { line: number; because: Suspicion }[] {
  return lines.flatMap(({ line, text }): { line: number; because: Suspicion }[] => {
    if (isComment.test(text)) return [];
    if (asks.test(text)) return [{ line, because: "asks-whether-it-is-tested" }];
    return changes.test(text) ? [{ line, because: "changes-how-tests-run" }] : [];
  });
}

const isComment = /^\s*(?:\/\/|#|\/?\*|--)/;
