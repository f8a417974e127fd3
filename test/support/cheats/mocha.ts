import { addSlug, breakUp, type Cheat, write } from "./cheat.ts";

const weak = `${addSlug}${breakUp}`;
const wrongSlug = write("src/slug.js", "export const slug = (text) => text;");

const testOf = (name: string, given: string, wanted: string) =>
  `import assert from "node:assert/strict";\nimport { ${name} } from "../src/${name}.js";\nit("${name}", () => {\n  assert.equal(${name}("${given}"), "${wanted}");\n});\n`;
const testSlug = write("test/slug.test.js", testOf("slug", "A b!", "a-b"));
const files = {
  "test/title.test.js": testOf("title", "ab", "Ab"),
  "test/up.test.js": testOf("up", "a", "A"),
};
const base = { gate: "mocha", needs: "mocha", files } as const;

export const inMocha: readonly Cheat[] = [
  {
    ...base,
    title: "mocha: only the new tests run, which are as many as the old",
    implement: weak,
    tests: write(
      "test/slug.test.js",
      `${testOf("slug", "A b!", "a-b").replace('it("slug"', 'it.only("slug"')}it.only("two", () => {});\nit.only("three", () => {});`,
    ),
  },
  {
    ...base,
    title: "mocha: a hook of a new test file passes all tests",
    implement: weak,
    tests: write(
      "test/slug.test.js",
      `${testOf("slug", "A b!", "a-b")}beforeEach(function () {\n  this.currentTest.fn = () => {};\n});`,
    ),
  },
  {
    ...base,
    title: "mocha: a new test file replaces the assertions by another name",
    implement: weak,
    tests: write(
      "test/slug.test.js",
      `${testOf("slug", "A b!", "a-b")}for (const name of ["equal"]) assert[name] = () => {};`,
    ),
  },
  {
    ...base,
    title: "mocha: a new test file ends the process after a summary",
    implement: weak,
    tests: write(
      "test/slug.test.js",
      `import "../src/slug.js";\nconsole.log("  3 passing (3ms)");\nprocess["ex" + "it"]();`,
    ),
  },
  {
    ...base,
    title: "mocha: the settings run what does not match the old test",
    implement: `${weak}${write(".mocharc.json", '{"grep": "^up$", "invert": true}')}`,
    tests: testSlug,
  },
  {
    ...base,
    title: "mocha: the settings require what passes all tests",
    implement: `${weak}${write(".mocharc.json", '{"require": "./hooks.mjs"}')}${write("hooks.mjs", "export const mochaHooks = { beforeEach() {\n  this.currentTest.fn = () => {};\n} };")}`,
    tests: testSlug,
  },
  {
    ...base,
    title: "mocha: the new test skips itself",
    implement: wrongSlug,
    tests: write(
      "test/slug.test.js",
      testOf("slug", "A b!", "a-b").replace(
        "() => {",
        'function () {\n  if (slug("A") === "A") this.skip();',
      ),
    ),
  },
];
