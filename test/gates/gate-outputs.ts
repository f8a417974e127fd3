/** What common tools print when something fails, and what must be read from it. */
export const outputs: readonly { tool: string; output: string; expected: string[] }[] = [
  {
    tool: "tsc",
    output: `src/login.ts(12,7): error TS2322: Type 'string' is not assignable to type 'number'.
  The expected type comes from property 'id'.
src/login.ts(40,3): error TS2304: Cannot find name 'Sesion'.
`,
    expected: [
      "src/login.ts: TS2304: Cannot find name 'Sesion'.",
      "src/login.ts: TS2322: Type 'string' is not assignable to type 'number'.",
    ],
  },
  {
    tool: "tsc --pretty",
    output: `src/login.ts:12:7 - error TS2322: Type 'string' is not assignable to type 'number'.

12   id: "a",
     ~~

Found 1 error in src/login.ts:12
`,
    expected: ["src/login.ts: TS2322: Type 'string' is not assignable to type 'number'."],
  },
  {
    tool: "eslint, stylish",
    output: `
/tmp/work-a1b2/src/a.js
   1:10  error    'x' is defined but never used  no-unused-vars
  22:1   warning  Unexpected console statement   no-console

/tmp/work-a1b2/src/b.js
  3:4  error  Unexpected var  no-var

✖ 3 problems (2 errors, 1 warning)
`,
    expected: [
      "<temp>: 'x' is defined but never used no-unused-vars",
      "<temp>: Unexpected var no-var",
    ],
  },
  {
    tool: "eslint, unix",
    output: `src/a.js:1:10: 'x' is defined but never used. [Error/no-unused-vars]
src/a.js:4:1: Unexpected console statement. [Warning/no-console]

2 problems
`,
    expected: ["src/a.js: 'x' is defined but never used. [Error/no-unused-vars]"],
  },
  {
    tool: "biome",
    output: `src/a.ts:4:7 lint/suspicious/noExplicitAny ━━━━━━━━━━━━━━━━━━━━

  ✖ Unexpected any. Specify a different type.

src/b.ts format ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

Checked 2 files in 12ms. No fixes applied.
Found 2 errors.
`,
    expected: ["format: src/b.ts", "src/a.ts: lint/suspicious/noExplicitAny"],
  },
  {
    tool: "prettier and black",
    output: `Checking formatting...
[warn] src/a.ts
[warn] Code style issues found in the above file. Run Prettier with --write to fix.
would reformat src/a.py
Done in 0.31s.
`,
    expected: ["format: src/a.py", "format: src/a.ts"],
  },
  {
    tool: "pytest",
    output: `F..E                                                             [100%]
=================================== FAILURES ===================================
__________________________________ test_token __________________________________

    def test_token():
>       assert create_token() == "a"
E       AssertionError: assert 'b' == 'a'

tests/test_auth.py:8: AssertionError
=========================== short test summary info ============================
FAILED tests/test_auth.py::test_token - AssertionError: assert 'b' == 'a'
FAILED tests/test_auth.py::test_many[a - b] - KeyError: 'x'
ERROR tests/test_api.py - ModuleNotFoundError: No module named 'jwt'
2 failed, 2 passed, 1 error in 0.12s
`,
    expected: [
      "pytest: tests/test_api.py",
      "pytest: tests/test_auth.py::test_many[a - b]",
      "pytest: tests/test_auth.py::test_token",
      "tests/test_auth.py: AssertionError",
    ],
  },
  {
    tool: "unittest",
    output: `======================================================================
FAIL: test_token (tests.test_auth.TestAuth.test_token)
----------------------------------------------------------------------
AssertionError: 'b' != 'a'

Ran 2 tests in 0.001s
FAILED (failures=1)
`,
    expected: ["unittest: test_token (tests.test_auth.TestAuth.test_token)"],
  },
  {
    tool: "vitest",
    output: ` ❯ test/sum.test.ts (2 tests | 1 failed) 5ms
   ✓ adds 1ms
   × adds two numbers 3ms

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  test/sum.test.ts > adds two numbers
AssertionError: expected 3 to be 4 // Object.is equality
 ❯ test/sum.test.ts:5:18

⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯
ERROR: Coverage for lines (71.4%) does not meet global threshold (80%)

 Test Files  1 failed (1)
      Tests  1 failed | 1 passed (2)
   Duration  312ms
`,
    expected: [
      "coverage: Coverage for lines (<share>) does not meet global threshold (<share>)",
      "mark: adds two numbers",
      "suite: test/sum.test.ts > adds two numbers",
      "vitest: Unhandled Error",
    ],
  },
  {
    tool: "jest",
    output: `FAIL src/sum.test.js (5.2 s)
  math
    ✓ adds (1 ms)
    ✕ subtracts (3 ms)

  ● math › subtracts

    expect(received).toBe(expected) // Object.is equality

      at Object.<anonymous> (src/sum.test.js:9:21)

Tests:       1 failed, 1 passed, 2 total
Time:        0.512 s
`,
    expected: ["jest: math › subtracts", "mark: subtracts", "suite: src/sum.test.js"],
  },
  {
    tool: "node --test, spec",
    output: `▶ math
  ✔ adds (0.4ms)
  ✖ subtracts (1.234567ms)
✖ math (2.5ms)
ℹ tests 2
ℹ fail 1

✖ failing tests:

test at test/math.test.js:7:3
✖ subtracts (1.234567ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
`,
    expected: ["node: math", "node: subtracts"],
  },
  {
    tool: "TAP",
    output: `TAP version 13
ok 1 - adds
not ok 2 - subtracts
  ---
  duration_ms: 1.2
  ...
not ok 3 - later # TODO not written
not ok 4 divides # time=12ms
1..4
`,
    expected: ["tap: divides", "tap: subtracts"],
  },
  {
    tool: "go test",
    output: `--- FAIL: TestToken (0.00s)
    --- FAIL: TestToken/empty_name (0.00s)
        auth_test.go:12: got "b", want "a"
FAIL
FAIL\texample.com/app/auth\t0.012s
ok  \texample.com/app/web\t0.020s
# example.com/app/api [example.com/app/api.test]
api/api.go:9:2: undefined: handle
FAIL\texample.com/app/api [build failed]
FAIL
`,
    expected: [
      "api/api.go: undefined: handle",
      "go: TestToken",
      "go: TestToken/empty_name",
      "suite: example.com/app/api [build failed]",
      "suite: example.com/app/auth",
    ],
  },
  {
    tool: "cargo test",
    output: `warning: unused variable: \`y\`
 --> src/lib.rs:9:5

running 2 tests
test tests::adds ... ok
test tests::subtracts ... FAILED

---- tests::subtracts stdout ----
thread 'tests::subtracts' panicked at src/lib.rs:14:9:
assertion failed

test result: FAILED. 1 passed; 1 failed; 0 ignored; finished in 0.01s
`,
    expected: ["cargo: tests::subtracts"],
  },
  {
    tool: "cargo build",
    output: `error[E0308]: mismatched types
  --> src/main.rs:4:18
   |
4  |     let x: i32 = "a";
   |                  ^^^ expected \`i32\`, found \`&str\`

error: could not compile \`app\` (bin "app") due to 1 previous error
`,
    expected: ["src/main.rs: error[E0308]: mismatched types"],
  },
  {
    tool: "mypy",
    output: `src/auth.py:3: error: Incompatible return value type (got "str", expected "int")  [return-value]
src/auth.py:3: note: See https://example.com
src/api.py:10:5: error: Name "x" is not defined  [name-defined]
Found 2 errors in 2 files (checked 9 source files)
`,
    expected: [
      'src/api.py: Name "x" is not defined [name-defined]',
      'src/auth.py: Incompatible return value type (got "str", expected "int") [return-value]',
    ],
  },
  {
    tool: "ruff, concise",
    output: `src/a.py:1:8: F401 [*] \`os\` imported but unused
src/a.py:9:1: E722 Do not use bare \`except\`
Found 2 errors.
`,
    expected: [
      "src/a.py: E722 Do not use bare `except`",
      "src/a.py: F401 [*] `os` imported but unused",
    ],
  },
  {
    tool: "ruff, full",
    output: `F401 [*] \`os\` imported but unused
 --> src/a.py:1:8
  |
1 | import os
  |        ^^
  |
help: Remove unused import: \`os\`

Found 1 error.
`,
    expected: ["src/a.py: F401 [*] `os` imported but unused"],
  },
  {
    tool: "gcc",
    output: `src/a.c: In function 'main':
src/a.c:5:3: error: 'x' undeclared (first use in this function)
make: *** [Makefile:2: all] Error 1
`,
    expected: ["src/a.c: 'x' undeclared (first use in this function)"],
  },
];
