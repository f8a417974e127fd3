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

/** Whether an output says that files could not be loaded, compiled or collected: tests are then missing, not failing. */
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

/** The sum of a pattern's figures in a text. */
const figures = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, figure]) => Number(figure)).reduce(
    (sum, each) => sum + each,
    0,
  );

/** One summary line with a number before each word. */
const summaries = (pattern: RegExp) => (text: string) => linesOf(text, pattern).map(countsIn);

/** Figures on lines of their own; `line` is what their words are put into. Without the decisive line there is no summary. */
const onLines =
  (decisive: RegExp, line: (words: string) => RegExp, words: Record<keyof Counts, string>) =>
  (text: string): Counts[] => {
    if (!decisive.test(text)) return [];
    const of = (key: keyof Counts) => figures(text, line(words[key]));
    return [{ passed: of("passed"), failed: of("failed"), skipped: of("skipped") }];
  };

/** A summary line with named figures; without `passed` it is what is left of `run`. */
const named =
  (pattern: RegExp) =>
  (text: string): Counts[] =>
    Array.from(text.matchAll(pattern), ({ groups = {} }) => {
      const of = (name: string) => Number(groups[name] ?? 0);
      const [failed, skipped] = [of("failed") + of("errors"), of("skipped")];
      const passed = groups.passed === undefined ? of("run") - failed - skipped : of("passed");
      return { passed, failed, skipped };
    });

/** In the order in which they are asked: the more distinct form comes first. */
const forms: readonly Form[] = [
  { name: "vitest", read: summaries(/^[ \t]*Tests {2,}(?:\d+ \w+[ |]*)+\(\d+\)$/gm) },
  { name: "jest", read: summaries(/^Tests: +(?:\d+ \w+, )*\d+ total$/gm) },
  {
    name: "mocha",
    read: onLines(
      /^[ \t]+\d+ passing\b/m,
      (words) => new RegExp(`^[ \\t]+(\\d+) ${words}\\b`, "gm"),
      { passed: "passing", failed: "failing", skipped: "pending" },
    ),
  },
  { name: "tap", read: readTap },
  {
    name: "ava",
    read: onLines(
      /^[ \t]+(?:\d+ tests? (?:passed|failed)|No tests found|\d+ (?:uncaught exception|unhandled rejection|known failure))/m,
      (words) => new RegExp(`^[ \\t]+(\\d+) (?:${words})`, "gm"),
      {
        passed: "tests? passed",
        failed: "tests? failed|uncaught exceptions?|unhandled rejections?",
        skipped: "tests? (?:skipped|todo)",
      },
    ),
  },
  { name: "pytest", read: readPytest },
  {
    name: "bun",
    read: onLines(
      /^Ran \d+ tests? across \d+ files?/m,
      (words) => new RegExp(`^[ \\t]*(\\d+) (?:${words})$`, "gm"),
      { passed: "pass", failed: "fail", skipped: "skip|todo" },
    ),
  },
  { name: "unittest", read: readUnittest },
  { name: "cargo", read: summaries(/^test result: \w+\. .*$/gm) },
  { name: "deno", read: summaries(/^(?:ok|FAILED) \| \d+ passed.*$/gm) },
  {
    // A line with its time is that of one class, which the total has again.
    name: "surefire",
    read: named(
      /Tests run: (?<run>\d+), Failures: (?<failed>\d+), Errors: (?<errors>\d+), Skipped: (?<skipped>\d+)(?!.*Time elapsed)/g,
    ),
  },
  {
    name: "dotnet",
    read: named(
      /Failed:\s+(?<failed>\d+), Passed:\s+(?<passed>\d+), Skipped:\s+(?<skipped>\d+), Total:/g,
    ),
  },
  { name: "phpunit", read: readPhpunit },
  {
    name: "rspec",
    read: named(/^(?<run>\d+) examples?, (?<failed>\d+) failures?(?:, (?<skipped>\d+) pending)?/gm),
  },
  {
    name: "gradle",
    read: named(
      /^(?<run>\d+) tests? completed(?:, (?<failed>\d+) failed)?(?:, (?<skipped>\d+) skipped)?/gm,
    ),
  },
  {
    name: "ctest",
    read: named(/^\d+% tests passed, (?<failed>\d+) tests failed out of (?<run>\d+)/gm),
  },
  { name: "robot", read: summaries(/^\d+ tests?, \d+ passed, \d+ failed(?:, \d+ skipped)?$/gm) },
  { name: "junit", read: readJunit },
  { name: "go", read: readGoVerbose },
  { name: "go", unit: "packages", read: readGo },
];

/** TAP by tape, node:test and others; node's own reporter marks the lines with `ℹ`. */
function readTap(text: string): Counts[] {
  if (!/^(?:#|ℹ) tests\s+\d+/m.test(text)) return [];
  const of = (name: string) => figures(text, new RegExp(`^(?:#|ℹ) ${name}\\s+(\\d+)`, "gm"));
  const failed = of("fail") + of("cancelled");
  const skipped = of("skip(?:ped)?") + of("todo");
  const hasPass = /^(?:#|ℹ) pass\s+\d+/m.test(text);
  return [{ passed: hasPass ? of("pass") : of("tests") - failed - skipped, failed, skipped }];
}

function readPytest(text: string): Counts[] {
  const lines = linesOf(text, /^=*[ \t]*(?:\d+ [a-z]+(?: [a-z]+)?,? ?)+ in [\d.]+s.*$/gm);
  // Subtests are parts of tests that are counted already.
  if (lines.length > 0) return lines.map((line) => countsIn(line.replace(/\d+ subtests \w+/g, "")));
  return /^=*[ \t]*no tests ran\b/m.test(text) ? [{}] : [];
}

function readUnittest(text: string): Counts[] {
  if (!/^Ran \d+ tests? in /m.test(text)) return [];
  const failed = figures(text, /\b(?:failures|errors|unexpected successes)=(\d+)/g);
  const skipped = figures(text, /\bskipped=(\d+)/g);
  return [{ passed: figures(text, /^Ran (\d+) tests? in /gm) - failed - skipped, failed, skipped }];
}

function readPhpunit(text: string): Counts[] {
  const green = named(/^OK \((?<run>\d+) tests?, \d+ assertions?\)/gm)(text);
  const other = linesOf(text, /^Tests: \d+, Assertions: \d+.*$/gm).map((line) => {
    const of = (word: string) => figures(line, new RegExp(`${word}: (\\d+)`, "g"));
    const failed = of("Failures") + of("Errors");
    const skipped = of("Skipped") + of("Incomplete");
    return { passed: of("Tests") - failed - skipped, failed, skipped };
  });
  const none = /^No tests executed!/m.test(text) ? [{}] : [];
  return [...green, ...other, ...none];
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
