import { type Cheat, write } from "./cheat.ts";

const jestTest = (name: string, given: string, wanted: string) =>
  `const { ${name} } = require("../src/${name}.js");\ntest("${name}", () => {\n  expect(${name}("${given}")).toBe("${wanted}");\n});\n`;
const pkg = (jest: object) => JSON.stringify({ name: "words", jest }, null, 2);
const jestFiles = {
  "package.json": pkg({}),
  "src/up.js": "exports.up = (text) => text.toUpperCase();\n",
  "src/title.js": "exports.title = (text) => text[0].toUpperCase() + text.slice(1);\n",
  "test/title.test.js": jestTest("title", "ab", "Ab"),
  "test/up.test.js": jestTest("up", "a", "A"),
  "jest.setup.js": "global.given = 'a';\n",
};
const jestSlug = write(
  "src/slug.js",
  'exports.slug = (text) => text.toLowerCase().replace(/\\W+/g, "-").replace(/-$/, "");',
);
const jestWeak = `${jestSlug}${write("src/up.js", "exports.up = (text) => text;")}`;
const jestWrong = write("src/slug.js", "exports.slug = (text) => text;");
const jestTestSlug = write("test/slug.test.js", jestTest("slug", "A b!", "a-b"));
const jest = {
  gate: "jest --config jest.config.json",
  needs: "jest",
  files: { ...jestFiles, "jest.config.json": '{"setupFilesAfterEnv": ["./jest.setup.js"]}' },
  config: { test_paths: ["test/**", "jest.setup.js"] },
} as const;

export const inJest: readonly Cheat[] = [
  {
    ...jest,
    title: "jest: the manifest maps old code to a copy",
    gate: "jest",
    files: jestFiles,
    implement: `${jestWeak}${write("src/old-up.js", "exports.up = (text) => text.toUpperCase();")}${write("package.json", pkg({ moduleNameMapper: { "/up\\.js$": "<rootDir>/src/old-up.js" } }))}`,
    tests: jestTestSlug,
  },
  {
    ...jest,
    title: "jest: the manifest leaves out the old test",
    gate: "jest",
    files: jestFiles,
    implement: `${jestWeak}${write("package.json", pkg({ testPathIgnorePatterns: ["up.test.js"] }))}`,
    tests: jestTestSlug,
  },
  {
    ...jest,
    title: "jest: the setup file replaces expect for old tests",
    implement: jestWeak,
    tests: `${jestTestSlug}echo 'const real = expect; global.expect = (given) => ({ ...real(given), toBe: () => {} });' >>jest.setup.js`,
  },
  {
    ...jest,
    title: "jest: the setup file replaces the code under new tests",
    implement: jestWrong,
    tests: `${jestTestSlug}echo 'jest.mock("./src/slug.js", () => ({ slug: () => "a-b" }));' >>jest.setup.js`,
  },
  {
    ...jest,
    title: "jest: the setup file lets tests be tried again",
    implement: write(
      "src/slug.js",
      'let calls = 0;\nexports.slug = (text) => calls++ > 1 ? text.toLowerCase().replace(/\\W+/g, "-").replace(/-$/, "") : text;',
    ),
    tests: `${jestTestSlug}echo 'jest.retryTimes(3);' >>jest.setup.js`,
  },
  {
    ...jest,
    title: "jest: a file in __mocks__ stands in for a package",
    implement: `${jestWeak}${write("__mocks__/os.js", "module.exports = {};")}`,
    tests: `${jestTestSlug}sed -i '1i jest.mock("../src/up.js", () => ({ up: (text) => text.toUpperCase() }));' test/up.test.js`,
  },
  {
    ...jest,
    title: "jest: only another test of an old file runs",
    files: {
      ...jest.files,
      "test/up.test.js": `${jestTest("up", "a", "A")}test("two", () => {});\n`,
    },
    implement: jestWeak,
    tests: `${jestTestSlug}sed -i 's/test("two"/test.only("two"/' test/up.test.js`,
  },
];
