import { addSlug, breakUp, type Cheat, testOf, testSlug, write } from "./cheat.ts";

const weak = `${addSlug}${breakUp}`;
const script = (text: string) =>
  write("package.json", JSON.stringify({ name: "words", type: "module", scripts: { test: text } }));
const two = `import { test } from "node:test";\ntest("two", () => {});\ntest("three", () => {});`;
const snapshot = `import { test, snapshot } from "node:test";\nimport { up } from "../src/up.js";\ntest("up", (t) => t.assert.snapshot(up("a")));\n`;

export const inNodeTest: readonly Cheat[] = [
  {
    title: "node:test: the script skips the old test by its name",
    gate: "npm test",
    implement: `${weak}${script("node --test --test-skip-pattern='^up$' test/*.test.js")}`,
    tests: `${testSlug}${write("test/two.test.js", two)}`,
  },
  {
    title: "node:test: a new test file ends well before it asserts",
    implement: write("src/slug.js", "export const slug = (text) => text;"),
    tests: write(
      "test/slug.test.js",
      `import { slug } from "../src/slug.js";\nimport { test } from "node:test";\ntest("slug", () => {\n  if (slug("A b!") !== "a-b") process.exit(0);\n});`,
    ),
  },
  {
    title: "node:test: a new test file ends all others in its process",
    gate: "node --test --test-isolation=none test/*.test.js",
    implement: weak,
    tests: write(
      "test/a.test.js",
      `import { slug } from "../src/slug.js";\nslug("a");\nconsole.log("# tests 4\\n# pass 4\\n# fail 0");\nprocess["ex" + "it"]();`,
    ),
  },
  {
    title: "node:test: a new test file replaces the assertions of all in its process",
    gate: "node --test --test-isolation=none test/*.test.js",
    implement: weak,
    tests: write(
      "test/a.test.js",
      `${testOf("slug", 'slug("A b!"), "a-b"')}for (const name of ["equal"]) assert[name] = () => {};`,
    ),
  },
  {
    title: "node:test: a new test replaces the module it tests",
    gate: "node --test --experimental-test-module-mocks test/*.test.js",
    implement: write("src/slug.js", "export function slug() {}"),
    tests: write(
      "test/slug.test.js",
      `import assert from "node:assert/strict";\nimport { mock, test } from "node:test";\nawait import("../src/slug.js").then(({ slug }) => slug.name.length > 0 || process.exit(1));\nmock.module("../src/slug.js", { namedExports: { slug: () => "a-b" } });\ntest("slug", async () => {\n  const { slug } = await import("../src/slug.js?");\n  assert.equal((await import("../src/slug.js")).slug("A b!"), "a-b");\n});`.replace(
        '  const { slug } = await import("../src/slug.js?");\n',
        "",
      ),
    ),
  },
  {
    title: "node:test: a snapshot is taken of the broken code",
    files: {
      "test/up.test.js": snapshot,
      "test/up.test.js.snapshot": 'exports[`up 1`] = `\n"A"\n`;\n',
    },
    implement: weak,
    tests: `${testSlug}sed -i 's/"A"/"a"/' test/up.test.js.snapshot`,
  },
];
