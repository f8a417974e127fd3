import { expect, test } from "vitest";
import { firstTestLine } from "../../../src/core/proof/own-tests.ts";

test.each([
  ["src/a.rs", "pub fn a() {}\n\n#[cfg(test)]\nmod tests {}\n", 3],
  ["src/a.rs", "#[cfg(not(test))]\npub fn a() {}\n", Number.POSITIVE_INFINITY],
  ["src/a.js", "#[cfg(test)]\n", Number.POSITIVE_INFINITY],
])("the tests of %s with %j begin on line %s", (path, text, line) => {
  expect(firstTestLine(path, text)).toBe(line);
});
