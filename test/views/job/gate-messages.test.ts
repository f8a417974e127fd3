import fc from "fast-check";
import { expect, test } from "vitest";
import { gateMessages } from "../../../src/views/job/gate-messages.ts";
import { hostileText } from "./hostile-text.ts";

const told = (output: string) =>
  gateMessages(output).map(
    ({ file, line, column, level, message }) =>
      `${[file, line, column].filter((part) => part !== undefined).join(":")} ${level} ${message}`,
  );

test.each([
  [
    "tsc",
    "src/a.ts(3,5): error TS2322: Type 'x'.\n  More words.",
    "src/a.ts:3:5 error TS2322: Type 'x'.",
  ],
  [
    "tsc, pretty",
    "\x1b[96msrc/a.ts\x1b[0m:\x1b[93m3\x1b[0m:\x1b[93m5\x1b[0m - \x1b[91merror\x1b[0m\x1b[90m TS2322: \x1b[0mType 'x'.",
    "src/a.ts:3:5 error TS2322: Type 'x'.",
  ],
  [
    "eslint, unix",
    "/p/a.js:1:2: 'x' is unused. [Error/no-x]",
    "/p/a.js:1:2 error 'x' is unused. [Error/no-x]",
  ],
  [
    "eslint, unix",
    "/p/a.js:1:2: Spaces. [Warning/no-y]",
    "/p/a.js:1:2 warning Spaces. [Warning/no-y]",
  ],
  ["go vet", "vet: ./a.go:3:5: undefined: x", "./a.go:3:5 error undefined: x"],
  ["go build", "# example.com/m\n./a.go:3:5: undefined: x", "./a.go:3:5 error undefined: x"],
  ["go test", "--- FAIL: TestA (0.00s)\n    a_test.go:9: got 1", "a_test.go:9 error got 1"],
  [
    "cargo",
    "error[E0308]: mismatched types\n --> src/main.rs:3:5\n  |\n3 |     x",
    "src/main.rs:3:5 error mismatched types",
  ],
  [
    "cargo",
    "warning: unused variable: `x`\n  --> src/main.rs:3:5",
    "src/main.rs:3:5 warning unused variable: `x`",
  ],
  [
    "cargo test",
    "warning: 1 warning emitted\nthread 'a' panicked at src/lib.rs:10:5:\nboom",
    "src/lib.rs:10:5 error panicked",
  ],
  ["mypy", "a/b.py:3: error: Bad type  [arg-type]", "a/b.py:3 error Bad type  [arg-type]"],
  ["gcc", "a.c:3:5: warning: unused", "a.c:3:5 warning unused"],
  [
    "ruff",
    "a.py:1:8: F401 `os` imported but unused",
    "a.py:1:8 error F401 `os` imported but unused",
  ],
  [
    "ruff, full",
    "F401 [*] `os` imported but unused\n --> a.py:1:8",
    "a.py:1:8 error F401 [*] `os` imported but unused",
  ],
  ["biome", "src/a.ts:1:8 lint/style/useConst FIXABLE", "src/a.ts:1:8 error lint/style/useConst"],
  [
    "vitest",
    "AssertionError: expected 1 to be 2\n \u276f test/a.test.ts:5:13\n \u276f run src/b.ts:1:1",
    "test/a.test.ts:5:13 error AssertionError: expected 1 to be 2",
  ],
])("%s: %j", (_, output, expected) => {
  expect(told(output)).toEqual([expected]);
});

test("eslint names the file once for its lines", () => {
  const output = `
/p/src/a.js
  3:10  error    'x' is never used  no-unused-vars
  4:1   warning  Unexpected console  no-console

/p/src/b.js
  1:1  error  Parsing error: oops

✖ 3 problems (2 errors, 1 warning)
`;
  expect(told(output)).toEqual([
    "/p/src/a.js:3:10 error 'x' is never used  no-unused-vars",
    "/p/src/a.js:4:1 warning Unexpected console  no-console",
    "/p/src/b.js:1:1 error Parsing error: oops",
  ]);
});

test("pytest's failures have their place and first line; the summary counts only without a place", () => {
  const output = `
____________________ test_add ____________________

    def test_add():
>       assert add(1, 2) == 4
E       assert 3 == 4
E        +  where 3 = add(1, 2)

tests/test_add.py:5: AssertionError
=================== short test summary info ===================
FAILED tests/test_add.py::test_add - assert 3 == 4
ERROR tests/test_b.py - ModuleNotFoundError: No module named 'x'
`;
  expect(told(output)).toEqual([
    "tests/test_add.py:5 error AssertionError: assert 3 == 4",
    "tests/test_b.py:1 error ModuleNotFoundError: No module named 'x'",
  ]);
});

test("explanations and lines without a place are not messages", () => {
  const output = `
note: required by this
  --> src/a.rs:1:1
a.py:3: note: Revealed type
127.0.0.1:8080: connection refused
12:30:11: started
http://localhost:3000: up
`;
  expect(told(output)).toEqual([]);
});

test("any text is read, in time that grows with it", () => {
  fc.assert(fc.property(hostileText, (text) => void gateMessages(text)));
  const long = "a.a:".repeat(200_000);
  expect(gateMessages(`${long}\n${"(1,".repeat(330)}\n`.repeat(5))).toEqual([]);
});
