import { expect, test } from "vitest";
import type { FileRole } from "../../../src/core/checks/file-roles.ts";
import { suspiciousLines } from "../../../src/core/checks/suspicious-code.ts";

const look = (path: string, role: FileRole, text: string) =>
  suspiciousLines({ path, role }, [{ line: 7, text }]);

test.each([
  ["a.js", "if (process.env.NODE_TEST_CONTEXT) return 1;", "asks-whether-it-is-tested"],
  ["a.go", '\tif strings.HasSuffix(os.Args[0], ".test") {', "asks-whether-it-is-tested"],
  ["a.go", '\tif flag.Lookup("test.v") != nil {', "asks-whether-it-is-tested"],
  ["a.go", "//go:build !test", "asks-whether-it-is-tested"],
  ["a.rs", "#[cfg(not(test))]", "asks-whether-it-is-tested"],
  ["a.py", 'if "pytest" in sys.modules:', "asks-whether-it-is-tested"],
  ["a.js", 'readFileSync("test/fixtures/a.json")', "reads-tests"],
  ["a.py", "data = open('tests/test_a.py').read()", "reads-tests"],
  ["a.js", "if (Date.now() > 1893456000000) return text;", "waits-for-a-date"],
  ["a.py", "if datetime.now() < datetime(2030, 1, 1):", "waits-for-a-date"],
  [
    "a.go",
    "\tif time.Now().After(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)) {",
    "waits-for-a-date",
  ],
  ["a.js", "assert.equal = () => {};", "changes-how-tests-run"],
  ["go.mod", "replace example.org/check => ./check", "replaces-a-package"],
])("in the product, %s: %s", (path, text, because) => {
  expect(look(path, "product", text)).toEqual([{ line: 7, because }]);
});

test.each([
  ["main_test.go", "\tos.Exit(0)"],
  ["main_test.go", "func TestMain(m *testing.M) {"],
  ["test/a.test.js", "process.exit(0);"],
  ["test/a.test.js", 'assert["equal"] = () => {};'],
  ["tests/plugin.py", "def pytest_runtest_makereport(item, call):"],
  ["tests/test_a.py", "unittest.TestCase.assertEqual = lambda *given: None"],
])("in a test, %s: %s", (path, text) => {
  expect(look(path, "test", text)).toEqual([{ line: 7, because: "decides-how-tests-end" }]);
});

test.each([
  ["jest.setup.js", "jest.retryTimes(3);"],
  ["test/a.test.js", 'test("slug", { retry: 3 }, () => {'],
  ["test/a.test.js", "  this.retries(2);"],
  ["tests/test_a.py", "@pytest.mark.flaky(reruns=3)"],
])("a test that is tried again, %s: %s", (path, text) => {
  expect(look(path, "test", text)).toEqual([{ line: 7, because: "tries-again" }]);
});

test.each<[string, FileRole, string]>([
  [
    "test/a.test.js",
    "test",
    'const text = readFileSync(new URL("../src/slug.js", import.meta.url));',
  ],
  ["tests/test_a.py", "test", "text = open('words.py').read()"],
  ["tests/a.rs", "test", 'let text = include_str!("../src/lib.rs");'],
  ["test-setup.js", "control", 'const text = readFileSync("src/slug.js");'],
])("tests that read code, %s as %s: %s", (path, role, text) => {
  expect(look(path, role, text)).toEqual([{ line: 7, because: "reads-code" }]);
});

test.each<[string, FileRole, string]>([
  ["test/a.test.js", "test", 'const text = readFileSync("test/fixtures/input.ts");'],
  ["test/a.test.js", "test", 'expect(readFileSync(join(folder, "dist/a.js"))).toBe("x");'],
  ["test/a.test.js", "test", 'const data = JSON.parse(readFileSync("config.json"));'],
  ["test/a.test.js", "test", 'const { stdout } = await run("node", ["src/cli.js"]);'],
  ["a.js", "product", "const age = Date.now() - started;"],
  ["a.js", "product", "if (Date.now() > expires) renew();"],
  ["a.js", "product", "// reads test/fixtures/a.json"],
  ["a.go", "product", "//go:build linux"],
  ["a.rs", "product", "#[cfg(test)]"],
  ["a.js", "product", 'import { latest } from "./latest.js";'],
  ["a_test.go", "test", "\tos.Exit(m.Run())"],
  ["a.test.js", "test", "process.exit(1);"],
  ["a.test.js", "test", "assert.equal(a, b);"],
  ["a.test.js", "test", "jest.retryTimes(0);"],
  ["a.test.js", "test", "const page = await get(url, { retry: 3 });"],
  ["go.mod", "other", "require example.org/a v1.2.3"],
  ["docs/a.md", "other", "process.exit(0)"],
])("nothing to read in %s (%s): %s", (path, role, text) => {
  expect(look(path, role, text)).toEqual([]);
});
