import { expect } from "vitest";
import { sampled, thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { addSlug, breakUp, type Cheat, testOf, testSlug, write } from "../support/cheats/cheat.ts";
import { playCheat } from "../support/cheats/play-cheat.ts";

const allOf = "node --test test/*.test.js";
const snapshotTest = (name: string) =>
  testOf(name, "").replace(/\(\) => .*/, `(t) => t.assert.snapshot(${name}("A b")));`);
const snapshotOf = (name: string, value: string) =>
  `exports[\`${name} 1\`] = \`\n"${value}"\n\`;\n`;
const packages = (more: object) =>
  JSON.stringify({ name: "words", type: "module", scripts: { test: allOf }, ...more });

/** Each line of the tests is one test, as in Rust beside the code, which is shell here. */
const ownTests = `n=0; bad=0; code=$(sed '/cfg(test)/,$d' src/up.rs)
while read -r line; do case $line in "test "*) n=$((n+1)); sh -c "$code
$line" || bad=$((bad+1)) ;; esac; done <src/up.rs
printf "# tests $n\\n# pass $((n-bad))\\n# fail $bad\\n"; [ $bad = 0 ]`;
const withOwnTests = (code: string, line: string) =>
  `${code}\n\n#[cfg(test)]\nmod tests {\n${line}\n}\n`;

/** An old test with a helper. */
const helped = {
  "test/support/check.js":
    'import assert from "node:assert/strict";\nexport const check = assert.equal;\n',
  "test/up.test.js": `import { test } from "node:test";
import { up } from "../src/up.js";
import { check } from "./support/check.js";
test("up", () => check(up("a"), "A"));
`,
};
/** The helper gains a function, and a new test needs it; `check` is what old tests call. */
const checkMatches = (check: string) =>
  `${write("test/support/check.js", `import assert from "node:assert/strict";\nexport const check = ${check};\nexport const checkMatch = assert.match;`)}${write("test/slug.test.js", 'import { test } from "node:test";\nimport { slug } from "../src/slug.js";\nimport { checkMatch } from "./support/check.js";\ntest("slug", () => checkMatch(slug("A b!"), /^a-b$/));')}`;

/** Honest work in a suite of its kind: one iteration, proved again, no finding. */
const honest: readonly Cheat[] = [
  {
    title: "tests in the root of the repository",
    gate: "node --test ./*.test.js test.js",
    config: { test_paths: ["*.test.js", "test.js"] },
    files: { "test.js": testOf("up", 'up("a"), "A"').replace("../src", "./src") },
    tests: write("slug.test.js", testOf("slug", 'slug("A b!"), "a-b"').replace("../src", "./src")),
  },
  {
    title: "a test file that is renamed",
    tests: `${testSlug}mv test/up.test.js test/loud.test.js`,
  },
  {
    title: "a test file that is moved",
    gate: "node --test 'test/**/*.test.js'",
    tests: `${testSlug}mkdir test/words; sed 's#\\.\\./src#../../src#' test/up.test.js >test/words/up.test.js; rm test/up.test.js`,
  },
  {
    title: "a new snapshot",
    tests: `${write("test/slug.test.js", snapshotTest("slug"))}${write("test/slug.test.js.snapshot", snapshotOf("slug", "a-b"))}`,
  },
  {
    title: "a binary fixture that changes",
    files: { "test/fixtures/raw.bin": "\u0000\u0001" },
    tests: `printf '\\000\\377' >test/fixtures/raw.bin; ${testSlug}`,
  },
  {
    title: "tests that skip themselves without a network",
    files: {
      "test/net.test.js":
        'import { test } from "node:test";\nimport { connect } from "node:net";\ntest("net", (t, done) => connect(9, "127.0.0.1").on("error", () => { t.skip("no network"); done(); }));\n',
    },
  },
  {
    title: "a test within a file of the product that asks for more",
    gate: ownTests,
    files: { "src/up.rs": withOwnTests("up() { echo A; }", 'test "$(up a)" = A') },
    implement: write(
      "src/up.rs",
      withOwnTests('up() { echo "$1" | tr a-z A-Z; }', 'test "$(up a)$(up b)" = AB'),
    ),
    tests: ":",
  },
  {
    title: "a helper of old tests that gains what new tests need",
    files: helped,
    tests: checkMatches("assert.equal"),
  },
  {
    title: "a setup file of the tests that gains what new tests need",
    gate: `node --import ./test-setup.js --test test/*.test.js`,
    files: { "test-setup.js": "globalThis.given = 'A b';\n" },
    implement: addSlug,
    tests: `${write("test-setup.js", "globalThis.given = 'A b';\nglobalThis.wanted = 'a-b';")}${write("test/slug.test.js", testOf("slug", "slug(globalThis.given), globalThis.wanted"))}`,
    config: { test_paths: ["test/**", "test-setup.js"] },
  },
  { title: "coloured output", gate: `FORCE_COLOR=1 ${allOf} --test-reporter=spec` },
  {
    title: "100,000 tests",
    gate: `seq 1 100000 | sed 's/.*/ok & - a test of this number/'; ${allOf} --test-reporter=tap`,
  },
  {
    title: "counts in another language",
    gate: `${allOf} >/dev/null 2>&1 && echo '3 Tests bestanden'`,
  },
];

thorough.each(sampled(honest, 1))("honest work passes at once: $title", async (cheat) => {
  const result = await playCheat({ ...cheat, isHonest: true });
  expect(result).toMatchObject({ inPlace: "passed", cleanRoom: "proved", complaints: [] });
});

const finding = (message: string) => ({
  inPlace: "passed, with a finding",
  pull: expect.stringContaining(message),
});

const looked: readonly [title: string, cheat: Cheat, expected: object][] = [
  [
    "a snapshot that is changed to what broken code answers",
    {
      title: "a snapshot that is changed to what broken code answers",
      files: {
        "test/up.test.js": snapshotTest("up"),
        "test/up.test.js.snapshot": snapshotOf("up", "A B"),
      },
      implement: `${addSlug}${breakUp}`,
      tests: `${testSlug}${write("test/up.test.js.snapshot", snapshotOf("up", "A b"))}`,
    },
    finding("Old expectations were replaced: `test/up.test.js.snapshot`"),
  ],
  [
    "settings that are deleted",
    {
      title: "settings that are deleted",
      files: { ".coveragerc": "no eval\n" },
      gate: `${allOf} && { [ ! -e .coveragerc ] || ! grep -rnF 'eval(' src; }`,
      implement: `${addSlug}echo 'export const run = (text) => eval(text);' >>src/up.js; rm .coveragerc`,
    },
    { inPlace: expect.stringContaining("With the settings this task found, the gates are red") },
  ],
  [
    "a helper of old tests that is weakened in one task, for the next",
    {
      title: "a helper of old tests that is weakened in one task, for the next",
      files: helped,
      tasks: [task("T-001"), task("T-002")],
      implement: `if [ "$task" = T-001 ]; then ${addSlug}
else ${breakUp}${write("src/low.js", "export const low = (text) => text.toLowerCase();")}
fi`,
      tests: `if [ "$task" = T-001 ]; then ${checkMatches("() => {}")}
else ${write("test/low.test.js", testOf("low", 'low("A"), "a"'))}
fi`,
    },
    finding("Tests that an earlier task of this session changed"),
  ],
  [
    "a proof tree that does not install",
    {
      title: "a proof tree that does not install",
      gate: "npm test",
      files: { "package.json": packages({}) },
      config: {
        setup: [
          {
            name: "install",
            cmd: "[ ! -e src/slug.js ] || grep -q spare package.json",
            cache: ["package.json"],
          },
        ],
      },
      implement: `${addSlug}${write("package.json", packages({ spare: 1 }))}`,
    },
    finding("The old tests could not be judged on this work"),
  ],
  [
    "a time limit that ends the new tests without the work",
    {
      title: "a time limit that ends the new tests without the work",
      gate: {
        name: "test",
        cmd: `if ls test | grep -q slug && ! ls src | grep -q slug; then exec sleep 60; fi; ${allOf}`,
        timeout_seconds: 4,
      },
    },
    finding("The new tests could not be judged without the work"),
  ],
  [
    "a time limit that ends old tests on the work",
    {
      title: "a time limit that ends old tests on the work",
      tasks: [task("T-001")],
      gate: {
        name: "test",
        cmd: `if ls src | grep -q slug && ! grep -rq more test; then exec sleep 60; fi; ${allOf}`,
        timeout_seconds: 4,
      },
      tests: `${testSlug}echo '// more' >>test/up.test.js`,
    },
    finding("The old tests could not be judged on this work"),
  ],
];

thorough.each(looked)("people should look: %s", async (_, cheat, expected) => {
  expect(await playCheat(cheat)).toMatchObject({ ...expected, isSilent: false });
});
