import fc from "fast-check";
import { expect, test } from "vitest";
import { readCensus } from "../../src/gates/census.ts";

type Row = [
  form: string,
  output: string,
  counts: [passed: number, failed: number, skipped: number],
];

const rows: Row[] = [
  ["vitest", " Test Files  3 passed (3)\n      Tests  485 passed | 2 skipped (487)\n", [485, 0, 2]],
  ["vitest", "      Tests  1 failed | 4 passed | 1 todo (6)\n", [4, 1, 1]],
  ["vitest", "\x1b[2m      Tests \x1b[22m \x1b[32m3 passed\x1b[39m (3)\n", [3, 0, 0]],
  [
    "jest",
    "Test Suites: 1 passed, 1 total\nTests:       1 failed, 1 skipped, 2 passed, 4 total\n",
    [2, 1, 1],
  ],
  ["mocha", "\n  12 passing (30ms)\n  1 pending\n  2 failing\n", [12, 2, 1]],
  ["tap", "ok 1\n# tests 5\n# pass  4\n# fail  1\n", [4, 1, 0]],
  [
    "tap",
    "ℹ tests 7\nℹ suites 0\nℹ pass 5\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1\nℹ todo 1\n",
    [5, 0, 2],
  ],
  ["tap", "# tests 3\n\n# ok\n", [3, 0, 0]],
  ["ava", "\n  4 tests passed\n  1 test skipped\n", [4, 0, 1]],
  ["ava", "  ✘ No tests found in test.js\n\n  1 uncaught exception\n", [0, 1, 0]],
  ["pytest", "=== 297 passed, 2 skipped in 3.1s ===\n", [297, 0, 2]],
  ["pytest", "16 passed, 733 subtests passed in 0.51s\n", [16, 0, 0]],
  ["pytest", "=== 1 failed, 3 passed, 1 xfailed, 2 errors in 61.20s (0:01:01) ===\n", [4, 3, 0]],
  ["pytest", "\n====== no tests ran in 0.01s ======\n", [0, 0, 0]],
  ["unittest", "Ran 16 tests in 0.002s\n\nOK (skipped=2)\n", [14, 0, 2]],
  ["unittest", "Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=1, skipped=1)\n", [2, 2, 1]],
  ["unittest", "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", [0, 0, 0]],
  [
    "cargo",
    "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\ntest result: ok. 2 passed; 0 failed; 0 ignored;\n",
    [5, 0, 1],
  ],
  ["deno", "ok | 3 passed | 1 ignored (10ms)\n", [3, 0, 1]],
  ["bun", " 3 pass\n 1 skip\n 0 fail\nRan 4 tests across 2 files. [12.00ms]\n", [3, 0, 1]],
  [
    "surefire",
    "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.1 s -- in A\n[INFO] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1\n",
    [1, 1, 1],
  ],
  [
    "dotnet",
    "Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4, Duration: 9 ms\n",
    [3, 0, 1],
  ],
  ["phpunit", "OK (3 tests, 5 assertions)\n", [3, 0, 0]],
  [
    "phpunit",
    "FAILURES!\nTests: 5, Assertions: 6, Failures: 1, Errors: 1, Skipped: 1.\n",
    [2, 2, 1],
  ],
  ["phpunit", "No tests executed!\n", [0, 0, 0]],
  ["rspec", "5 examples, 1 failure, 1 pending\n", [3, 1, 1]],
  ["gradle", "8 tests completed, 1 failed, 2 skipped\n", [5, 1, 2]],
  ["ctest", "92% tests passed, 1 tests failed out of 12\n", [11, 1, 0]],
  ["robot", "6 tests, 5 passed, 1 failed\n", [5, 1, 0]],
  [
    "junit",
    '<testsuites tests="4" failures="1" errors="0" skipped="1"><testsuite tests="4" failures="1"/></testsuites>',
    [2, 1, 1],
  ],
  [
    "go",
    "=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/x (0.00s)\n--- SKIP: TestB (0.00s)\nok  \ta\t0.01s\n",
    [1, 0, 1],
  ],
];

test.each(rows)("the summary of %s is read: %j", (form, output, [passed, failed, skipped]) => {
  expect(readCensus(output)).toEqual({ form, unit: "tests", passed, failed, skipped });
});

test("plain go test counts packages", () => {
  const output = "ok  \ta/b\t0.01s\nok  \ta/c\t(cached)\n?   \ta/d\t[no test files]\n";
  expect(readCensus(output)).toMatchObject({ form: "go", unit: "packages", passed: 2 });
});

test("the summaries of several workspaces are added", () => {
  const output = "> a\n# tests 2\n# pass 2\n# fail 0\n> b\n# tests 3\n# pass 3\n# fail 0\n";
  expect(readCensus(output)).toMatchObject({ passed: 5 });
});

test.each(["", "All good.\n", "Tests are green: 12\n", "Toutes les 12 épreuves ont réussi\n"])(
  "an output without a known summary has no count: %j",
  (output) => {
    expect(readCensus(output)).toBeUndefined();
  },
);

test("no output makes reading slow or throw", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (output) => {
      readCensus(output);
    }),
  );
});
