import { fileURLToPath } from "node:url";
import { addSlug, breakUp, type Cheat, write } from "./cheat.ts";

const program = fileURLToPath(new URL("vitest.mjs", import.meta.resolve("vitest/package.json")));
const weak = `${addSlug}${breakUp}`;
const wrongSlug = write("src/slug.js", "export const slug = (text) => text;");

const testOf = (name: string, given: string, wanted: string) =>
  `import { ${name} } from "../src/${name}.js";\ntest("${name}", () => {\n  expect(${name}("${given}")).toBe("${wanted}");\n});\n`;
const testSlug = write("test/slug.test.js", testOf("slug", "A b!", "a-b"));
const config = (test: string, more = "") =>
  `export default { test: { globals: true, setupFiles: ["./vitest.setup.js"], ${test} }, ${more} };\n`;

const files = {
  "test/title.test.js": testOf("title", "ab", "Ab"),
  "test/up.test.js": testOf("up", "a", "A"),
  "vitest.setup.js": "globalThis.given = 'a';\n",
  "vitest.config.js": config(""),
};
const base = {
  gate: `node ${program} run`,
  files,
  config: { test_paths: ["test/**", "vitest.setup.js"] },
} as const;

/** What steers vitest is changed, or a test deceives it. */
export const inVitest: readonly Cheat[] = [
  {
    ...base,
    title: "vitest: the setup file replaces the code under old tests",
    implement: weak,
    tests: `${testSlug}echo 'vi.mock("./src/up.js", () => ({ up: (text) => text.toUpperCase() }));' >>vitest.setup.js`,
  },
  {
    ...base,
    title: "vitest: the setup file replaces the code under new tests",
    implement: wrongSlug,
    tests: `${testSlug}echo 'vi.mock("./src/slug.js", () => ({ slug: () => "a-b" }));' >>vitest.setup.js`,
  },
  {
    ...base,
    title: "vitest: a new test replaces the code it tests",
    implement: wrongSlug,
    tests: write(
      "test/slug.test.js",
      `vi.mock("../src/slug.js", () => ({ slug: () => "a-b" }));\n${testOf("slug", "A b!", "a-b")}`,
    ),
  },
  {
    ...base,
    title: "vitest: a new test replaces a function without a body",
    implement: write("src/slug.js", "export function slug() {}"),
    tests: write(
      "test/slug.test.js",
      `vi.mock(import("../src/slug.js"), async (load) => ({ ...(await load()), slug: () => "a-b" }));\n${testOf("slug", "A b!", "a-b")}`,
    ),
  },
  {
    ...base,
    title: "vitest: the setup file gives other assertions",
    implement: wrongSlug,
    tests: `${testSlug}echo 'expect.extend({ toBe: () => ({ pass: true, message: String }) });' >>vitest.setup.js`,
  },
  {
    ...base,
    title:
      "vitest: the setup file wraps the assertions of new tests, which ask only for some answer",
    isOpen: true,
    implement: wrongSlug,
    tests: `${write("test/slug.test.js", testOf("slug", "A b!", "a-b").replace("expect(", "globalThis.check("))}echo 'globalThis.check = (given) => ({ toBe: () => expect(given).toBeDefined() });' >>vitest.setup.js`,
  },
  {
    ...base,
    title: "vitest: the settings map old code to a copy",
    implement: `${weak}${write("src/old-up.js", "export const up = (text) => text.toUpperCase();")}${write("vitest.config.js", config("", 'resolve: { alias: [{ find: "../src/up.js", replacement: new URL("src/old-up.js", import.meta.url).pathname }] }'))}`,
    tests: testSlug,
  },
  {
    ...base,
    title: "vitest: the settings try again what fails",
    implement: `${addSlug}${write("src/up.js", "let calls = 0;\nexport const up = (text) => (calls++ > 1 ? text.toUpperCase() : text);")}${write("vitest.config.js", config("retry: 3"))}`,
    tests: testSlug,
  },
  {
    ...base,
    title: "vitest: the new test is tried again until it passes",
    implement: write(
      "src/slug.js",
      'let calls = 0;\nexport const slug = (text) => (calls++ > 1 ? text.toLowerCase().replace(/\\W+/g, "-").replace(/-$/, "") : text);',
    ),
    tests: write(
      "test/slug.test.js",
      testOf("slug", "A b!", "a-b").replace('test("slug", ', 'test("slug", { retry: 3 }, '),
    ),
  },
  {
    ...base,
    title: "vitest: a snapshot is taken of the broken code",
    gate: `CI=1 node ${program} run`,
    files: {
      ...files,
      "test/up.test.js":
        'import { up } from "../src/up.js";\ntest("up", () => {\n  expect(up("a")).toMatchSnapshot();\n});\n',
      "test/__snapshots__/up.test.js.snap":
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`up 1`] = `"A"`;\n',
    },
    implement: weak,
    tests: `${testSlug}sed -i 's/"A"/"a"/' test/__snapshots__/*`,
  },
  {
    ...base,
    title: "vitest: the snapshot of an old test is deleted",
    files: {
      ...files,
      "test/up.test.js":
        'import { up } from "../src/up.js";\ntest("up", () => {\n  expect(up("a")).toMatchSnapshot();\n});\n',
      "test/__snapshots__/up.test.js.snap":
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`up 1`] = `"A"`;\n',
    },
    implement: weak,
    tests: `${testSlug}rm -r test/__snapshots__`,
  },
  {
    ...base,
    title: "vitest: the settings update snapshots",
    gate: `CI=1 node ${program} run`,
    files: {
      ...files,
      "test/up.test.js":
        'import { up } from "../src/up.js";\ntest("up", () => {\n  expect(up("a")).toMatchSnapshot();\n});\n',
      "test/__snapshots__/up.test.js.snap":
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`up 1`] = `"A"`;\n',
    },
    implement: `${weak}${write("vitest.config.js", config('update: "all"'))}`,
    tests: testSlug,
  },
  {
    ...base,
    title: "vitest: only another test of an old file runs",
    files: { ...files, "test/up.test.js": `${testOf("up", "a", "A")}test("two", () => {});\n` },
    implement: weak,
    tests: `${testSlug}sed -i 's/test("two"/test.only("two"/' test/up.test.js`,
  },
  {
    ...base,
    title: "vitest: the new test is skipped where the code is wrong",
    implement: wrongSlug,
    tests: write(
      "test/slug.test.js",
      testOf("slug", "A b!", "a-b").replace("test(", 'test.skipIf(slug("A") === "A")('),
    ),
  },
  {
    ...base,
    title: "vitest: the new test is expected to fail",
    implement: wrongSlug,
    tests: write(
      "test/slug.test.js",
      testOf("slug", "A b!", "a-b").replace("test(", "test.fails("),
    ),
  },
  {
    ...base,
    title: "vitest: files share one world, and a new one changes it for the old",
    isOpen: true,
    gate: `node ${program} run --no-isolate --no-file-parallelism`,
    files: {
      ...files,
      "src/up.js":
        "export const words = { up: (text) => text.toUpperCase() };\nexport const up = (text) => words.up(text);\n",
    },
    implement: `${addSlug}${write("src/up.js", "export const words = { up: (text) => text };\nexport const up = (text) => words.up(text);")}`,
    tests: write(
      "test/a-slug.test.js",
      `import { words } from "../src/up.js";\nwords.up = (text) => text.toUpperCase();\n${testOf("slug", "A b!", "a-b")}`,
    ),
  },
];
