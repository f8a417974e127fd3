import { expect, test } from "vitest";
import { firstTestLine, withTestsOf } from "../../../src/core/proof/own-tests.ts";

test.each([
  ["src/a.rs", "pub fn a() {}\n\n#[cfg(test)]\nmod tests {}\n", 3],
  ["src/a.rs", "#[cfg(not(test))]\npub fn a() {}\n", Number.POSITIVE_INFINITY],
  ["src/a.rs", "#[cfg(test)]\nuse std::fmt;\n\n#[cfg(test)]\n#[rustfmt::skip]\nmod tests {}\n", 4],
  ["src/a.rs", "#[cfg(test)]\nmod tests;\n\nfn a() {}\n", Number.POSITIVE_INFINITY],
  ["src/a.rs", "#[cfg(test)]\nuse std::fmt;\n\n#[test]\n#[should_panic]\nfn a() {}\n", 4],
  ["src/a.rs", "mod inner {\n    #[test]\n    fn a() {}\n}\n", Number.POSITIVE_INFINITY],
  ["src/a.rs", "#[test]\nfn a() {}\n\npub fn b() {}\n\n#[test]\nfn c() {}\n", 6],
  ["src/a.rs", "#[cfg(test)]\nmod tests {}\n\npub fn b() {}\n", Number.POSITIVE_INFINITY],
  ["src/a.js", "#[cfg(test)]\n", Number.POSITIVE_INFINITY],
])("the tests of %s with %j begin on line %s", (path, text, line) => {
  expect(firstTestLine(path, text)).toBe(line);
});

const file = (code: string, tests: string) => `${code}\n#[cfg(test)]\nmod tests {\n${tests}\n}\n`;

test.each([
  ["other tests go over the code", file("old", "a"), file("new", "b"), file("old", "b")],
  ["first tests do, too", "old\n", file("new", "b"), file("old", "b")],
  ["the same tests say nothing new", file("old", "a"), file("new", "a"), undefined],
  ["removed tests do not either", file("old", "a"), "new\n", undefined],
])("%s", (_, code, tests, laid) => {
  expect(withTestsOf("src/a.rs", code, tests)).toBe(laid);
});
