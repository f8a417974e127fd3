import { expect, test } from "vitest";
import { productIn } from "../../../src/core/checks/product-in-gates.ts";

const paths = [
  "src/app.js",
  "test/app.test.js",
  "scripts/check.sh",
  "tools/lint.js",
  "package.json",
];
const rules = { testPaths: ["test/**"], mayChange: [], paths };

test.each<[string, string, string[]]>([
  ["a file of the product", "node ./src/app.js --check", ["src/app.js"]],
  ["one in a shell line", 'test "$(node src/app.js)" = 1 && grep -q x src/app.js', ["src/app.js"]],
  ["a test", "node --test test/app.test.js", []],
  ["a script of the gates", "sh scripts/check.sh && node tools/lint.js", []],
  ["a file that a task may add", "test -e src/other.js", ["src/other.js"]],
  ["one of no folder, or of a package", "node other.js && node node_modules/x/y.js", []],
  ["settings, which count as such anyway", "npx eslint -c package.json", []],
])("%s: %s", (_, command, named) => {
  expect(productIn(command, rules)).toEqual(named);
});

test("what proof.may_change names is free", () => {
  expect(productIn("node src/app.js", { ...rules, mayChange: ["src/**"] })).toEqual([]);
});
