import { stripVTControlCharacters } from "node:util";
import type { Census } from "../core/state/measurement.ts";

/** The counts in one summary line; a count it does not name is 0. */
type Counts = { passed?: number; failed?: number; skipped?: number };

/** How one family of test runners sums up: the first form whose lines occur decides. */
interface Form {
  name: Census["form"];
  unit?: "packages";
  /** The counts of every summary in the output; empty where the form does not occur. */
  read: (output: string) => readonly Counts[];
}

/**
 * How many tests a gate says it ran, by the summary its runner prints; the summaries of several workspaces are added.
 * Undefined where no known runner speaks. Failed runs of some runners name failures only, so counts of two trees are
 * comparable where both runs are green.
 */
export function readCensus(output: string): Census | undefined {
  const text = stripVTControlCharacters(output).replaceAll("\r", "");
  for (const { name, unit = "tests", read } of forms) {
    const found = read(text);
    if (found.length === 0) continue;
    const sum = (key: keyof Counts) => found.reduce((total, each) => total + (each[key] ?? 0), 0);
    return {
      form: name,
      unit,
      passed: sum("passed"),
      failed: sum("failed"),
      skipped: sum("skipped"),
    };
  }
  return undefined;
}

/**
 * Whether an output says that files could not be loaded, compiled or collected: then tests are missing instead of
 * failing.
 */
export const hasLoadError = (output: string): boolean => loadError.test(output);

const loadError =
  /SyntaxError|does not provide an export|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|ImportError|ModuleNotFoundError|errors? during collection|build failed|Failed to resolve|_FailedTest|Failed to load|error\[E\d{4}\]|could not compile|error TS\d+|cannot find symbol|undefined: \w/i;

/** `3 passed | 1 failed (4)`: a number before each word, whatever separates them. */
function countsIn(line: string): Counts {
  const count = (words: string) =>
    Array.from(line.matchAll(new RegExp(`(\\d+) (?:${words})\\b`, "gi")), ([, figure]) =>
      Number(figure),
    ).reduce((sum, each) => sum + each, 0);
  return {
    passed: count("passed|xfailed|xpassed"),
    failed: count("failed|errors?"),
    skipped: count("skipped|todo|ignored|pending|deselected"),
  };
}

const linesOf = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([line]) => line);

/** Figures that stand on lines of their own, such as `# pass 5`; without the deciding line there is no summary. */
const figures = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, figure]) => Number(figure)).reduce(
    (sum, each) => sum + each,
    0,
  );

const summaries = (pattern: RegExp) => (text: string) => linesOf(text, pattern).map(countsIn);

/** In the order in which they are asked: the more distinct form comes first. */
const forms: readonly Form[] = [
  { name: "vitest", read: summaries(/^[ \t]*Tests {2,}(?:\d+ \w+[ |]*)+\(\d+\)$/gm) },
  { name: "jest", read: summaries(/^Tests: +(?:\d+ \w+, )*\d+ total$/gm) },
  { name: "mocha", read: readMocha },
  { name: "tap", read: readTap },
  { name: "ava", read: readAva },
  { name: "pytest", read: readPytest },
  { name: "bun", read: readBun },
  { name: "unittest", read: readUnittest },
  { name: "cargo", read: summaries(/^test result: \w+\. .*$/gm) },
  { name: "deno", read: summaries(/^(?:ok|FAILED) \| \d+ passed.*$/gm) },
  { name: "surefire", read: readSurefire },
  { name: "dotnet", read: readDotnet },
  { name: "phpunit", read: readPhpunit },
  { name: "rspec", read: readRspec },
  { name: "gradle", read: readGradle },
  { name: "ctest", read: readCtest },
  { name: "robot", read: summaries(/^\d+ tests?, \d+ passed, \d+ failed(?:, \d+ skipped)?$/gm) },
  { name: "junit", read: readJunit },
  { name: "go", read: readGoVerbose },
  { name: "go", unit: "packages", read: readGo },
];

function readMocha(text: string): Counts[] {
  if (!/^[ \t]+\d+ passing\b/m.test(text)) return [];
  return [
    {
      passed: figures(text, /^[ \t]+(\d+) passing\b/gm),
      failed: figures(text, /^[ \t]+(\d+) failing\b/gm),
      skipped: figures(text, /^[ \t]+(\d+) pending\b/gm),
    },
  ];
}

/** TAP by tape, node:test and others; node's own reporter marks the lines with `ℹ`. */
function readTap(text: string): Counts[] {
  if (!/^(?:#|ℹ) tests\s+\d+/m.test(text)) return [];
  const of = (name: string) => figures(text, new RegExp(`^(?:#|ℹ) ${name}\\s+(\\d+)`, "gm"));
  const failed = of("fail") + of("cancelled");
  const skipped = of("skip(?:ped)?") + of("todo");
  const hasPass = /^(?:#|ℹ) pass\s+\d+/m.test(text);
  return [{ passed: hasPass ? of("pass") : of("tests") - failed - skipped, failed, skipped }];
}

function readAva(text: string): Counts[] {
  const isAva =
    /^[ \t]+(?:\d+ tests? (?:passed|failed)|No tests found|\d+ (?:uncaught exception|unhandled rejection|known failure))/m;
  if (!isAva.test(text)) return [];
  const of = (words: string) => figures(text, new RegExp(`^[ \\t]+(\\d+) ${words}`, "gm"));
  return [
    {
      passed: of("tests? passed"),
      failed: of("tests? failed") + of("uncaught exceptions?") + of("unhandled rejections?"),
      skipped: of("tests? (?:skipped|todo)"),
    },
  ];
}

function readPytest(text: string): Counts[] {
  const lines = linesOf(text, /^=*[ \t]*(?:\d+ [a-z]+(?: [a-z]+)?,? ?)+ in [\d.]+s.*$/gm);
  // Subtests are parts of tests that are counted already.
  if (lines.length > 0) return lines.map((line) => countsIn(line.replace(/\d+ subtests \w+/g, "")));
  return /^=*[ \t]*no tests ran\b/m.test(text) ? [{}] : [];
}

function readBun(text: string): Counts[] {
  if (!/^Ran \d+ tests? across \d+ files?/m.test(text)) return [];
  const of = (word: string) => figures(text, new RegExp(`^[ \\t]*(\\d+) ${word}$`, "gm"));
  return [{ passed: of("pass"), failed: of("fail"), skipped: of("skip") + of("todo") }];
}

function readUnittest(text: string): Counts[] {
  if (!/^Ran \d+ tests? in /m.test(text)) return [];
  const failed = figures(text, /\b(?:failures|errors|unexpected successes)=(\d+)/g);
  const skipped = figures(text, /\bskipped=(\d+)/g);
  return [{ passed: figures(text, /^Ran (\d+) tests? in /gm) - failed - skipped, failed, skipped }];
}

/** Maven's totals; a line with its time is that of one class, which the total has again. */
function readSurefire(text: string): Counts[] {
  const line =
    /Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)(?!.*Time elapsed)/g;
  return Array.from(text.matchAll(line), ([, run, failures, errors, skipped]) => {
    const failed = Number(failures) + Number(errors);
    return { passed: Number(run) - failed - Number(skipped), failed, skipped: Number(skipped) };
  });
}

function readDotnet(text: string): Counts[] {
  const line = /Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+), Total:/g;
  return Array.from(text.matchAll(line), ([, failed, passed, skipped]) => ({
    passed: Number(passed),
    failed: Number(failed),
    skipped: Number(skipped),
  }));
}

function readPhpunit(text: string): Counts[] {
  const green = Array.from(text.matchAll(/^OK \((\d+) tests?, \d+ assertions?\)/gm), ([, run]) => ({
    passed: Number(run),
  }));
  const other = linesOf(text, /^Tests: \d+, Assertions: \d+.*$/gm).map((line) => {
    const of = (word: string) => figures(line, new RegExp(`${word}: (\\d+)`, "g"));
    const failed = of("Failures") + of("Errors");
    const skipped = of("Skipped") + of("Incomplete");
    return { passed: of("Tests") - failed - skipped, failed, skipped };
  });
  const none = /^No tests executed!/m.test(text) ? [{}] : [];
  return [...green, ...other, ...none];
}

function readRspec(text: string): Counts[] {
  const line = /^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?/gm;
  return Array.from(text.matchAll(line), ([, run, failed, pending = "0"]) => ({
    passed: Number(run) - Number(failed) - Number(pending),
    failed: Number(failed),
    skipped: Number(pending),
  }));
}

function readGradle(text: string): Counts[] {
  const line = /^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?/gm;
  return Array.from(text.matchAll(line), ([, run, failed = "0", skipped = "0"]) => ({
    passed: Number(run) - Number(failed) - Number(skipped),
    failed: Number(failed),
    skipped: Number(skipped),
  }));
}

function readCtest(text: string): Counts[] {
  const line = /^\d+% tests passed, (\d+) tests failed out of (\d+)/gm;
  return Array.from(text.matchAll(line), ([, failed, run]) => ({
    passed: Number(run) - Number(failed),
    failed: Number(failed),
  }));
}

/** The outermost element only: suites repeat what `testsuites` sums up. */
function readJunit(text: string): Counts[] {
  const name = /<testsuites\b[^>]*\btests="/.test(text) ? "testsuites" : "testsuite";
  return linesOf(text, new RegExp(`<${name}\\b[^>]*>`, "g"))
    .filter((element) => / tests="\d+"/.test(element))
    .map((element) => {
      const of = (key: string) => figures(element, new RegExp(` ${key}="(\\d+)"`, "g"));
      const failed = of("failures") + of("errors");
      const skipped = of("skipped") + of("disabled");
      return { passed: of("tests") - failed - skipped, failed, skipped };
    });
}

/** `go test -v`; subtests are indented and belong to tests that are counted. */
function readGoVerbose(text: string): Counts[] {
  const of = (word: string) => linesOf(text, new RegExp(`^--- ${word}: `, "gm")).length;
  const counts = { passed: of("PASS"), failed: of("FAIL"), skipped: of("SKIP") };
  return counts.passed > 0 ? [counts] : [];
}

/** Plain `go test` names packages: a floor, not a count of tests. */
function readGo(text: string): Counts[] {
  const passed = linesOf(text, /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/gm).length;
  const failed = linesOf(text, /^FAIL\s+\S+\s+(?:[\d.]+s|\[)/gm).length;
  const empty = linesOf(text, /^\?\s+\S+\s+\[no test files\]/gm).length;
  return passed + failed + empty > 0 ? [{ passed, failed }] : [];
}
