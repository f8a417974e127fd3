import { expect, test } from "vitest";
import { readMutationReport } from "../../src/gates/mutation-report.ts";

const mutant = (status: string, line: number) => ({
  id: String(line),
  mutatorName: "BlockStatement",
  replacement: "{}",
  location: { start: { line, column: 1 }, end: { line, column: 9 } },
  status,
});

const stryker = {
  schemaVersion: "1.0",
  thresholds: { high: 80, low: 60 },
  files: {
    "src/a.js": {
      language: "javascript",
      source: "",
      mutants: [mutant("Killed", 1), mutant("Timeout", 2), mutant("Survived", 3)],
    },
    "src/b.js": {
      language: "javascript",
      source: "",
      mutants: [mutant("NoCoverage", 4), mutant("CompileError", 5), mutant("Ignored", 6)],
    },
  },
};

const cargo = {
  outcomes: [
    { scenario: "Baseline", summary: "Success", phase_results: [] },
    { scenario: { Mutant: { file: "src/lib.rs", line: 9 } }, summary: "MissedMutant" },
    {
      scenario: { Mutant: { file: "src/lib.rs", span: { start: { line: 7, column: 1 } } } },
      summary: "MissedMutant",
    },
    { scenario: { Mutant: { file: "src/lib.rs" } }, summary: "CaughtMutant" },
    { scenario: { Mutant: { file: "src/lib.rs" } }, summary: "Timeout" },
    { scenario: { Mutant: { file: "src/lib.rs" } }, summary: "Unviable" },
  ],
  total_mutants: 5,
};

const go = {
  stats: {
    totalMutantsCount: 8,
    killedCount: 4,
    notCoveredCount: 1,
    escapedCount: 1,
    errorCount: 1,
    skippedCount: 1,
    timeOutCount: 0,
    msi: 0.8,
  },
  escaped: [{ mutator: { originalFilePath: "up.go", originalStartLine: 3 }, diff: "" }],
  timeouted: null,
};

const mutmut = { killed: 5, survived: 2, total: 10, no_tests: 1, skipped: 1, timeout: 1 };

test.each([
  [
    "Stryker's form",
    stryker,
    {
      form: "mutation-testing-report",
      noticed: 2,
      tried: 4,
      survivors: [
        { path: "src/a.js", line: 3 },
        { path: "src/b.js", line: 4 },
      ],
    },
  ],
  [
    "cargo-mutants",
    cargo,
    {
      form: "cargo-mutants",
      noticed: 2,
      tried: 4,
      survivors: [
        { path: "src/lib.rs", line: 9 },
        { path: "src/lib.rs", line: 7 },
      ],
    },
  ],
  [
    "go-mutesting",
    go,
    { form: "go-mutesting", noticed: 4, tried: 6, survivors: [{ path: "up.go", line: 3 }] },
  ],
  ["mutmut", mutmut, { form: "mutmut", noticed: 6, tried: 9, survivors: [] }],
])("the score of %s counts what was tried and what was noticed", (_, report, score) => {
  expect(readMutationReport(JSON.stringify(report))).toEqual(score);
});

test.each(["", "{", "null", "[]", "{}", '{"killed": "many"}', '{"files": {}}'])(
  "%j is no report",
  (text) => {
    expect(readMutationReport(text)).toBeUndefined();
  },
);
