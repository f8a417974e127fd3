import { expect, test } from "vitest";
import type { FactOf } from "../../src/core/state/event.ts";
import { task } from "../support/builders/session.ts";
import { createProject, type Outcome } from "../support/project/project.ts";

const files = {
  "package.json": JSON.stringify({
    type: "module",
    scripts: { test: "node --test test/*.test.js" },
  }),
  "src/up.js": "export const up = (text) => text.toUpperCase();\n",
  "test/up.test.js": testOf("up", 'up("a"), "A"'),
};

function testOf(name: string, expected: string): string {
  return `import { test } from "node:test";
import assert from "node:assert/strict";
import { ${name} } from "../src/${name}.js";
test("${name}", () => assert.equal(${expected}));
`;
}

const write = (path: string, text: string) => `cat >${path} <<'END'\n${text}\nEND\n`;
const slug = write("src/slug.js", 'export const slug = (text) => text.replace(/\\W+/g, "-");');
const breakUp = write("src/up.js", "export const up = (text) => text;");
const tested = write("test/slug.test.js", testOf("slug", 'slug("a b"), "a-b"'));

/** One task with an approving reviewer; `implement` and `tests` are shell. */
async function play({
  implement = slug,
  tests = "",
}): Promise<{ outcome: Outcome; judged: Judged }> {
  await using project = await createProject({
    tasks: [task("T-001")],
    files,
    gates: { test: "npm test" },
    config: { proof: {}, limits: { max_iterations: 1 }, test_paths: ["test/**"] },
    agent: { implementation: `${implement}\nclaim`, test_writing: `${tests}\nclaim` },
  });
  const outcome = await project.run();
  const judged = outcome.events.findLast((event) => event.type === "proof_judged");
  return { outcome, judged };
}
type Judged = FactOf<"proof_judged"> | undefined;

test("honest work with an honest test is proved without a further iteration", async () => {
  const { outcome, judged } = await play({ tests: tested });
  expect(outcome.exitCode).toBe(0);
  expect(judged).toMatchObject({
    findings: [],
    figures: { red_first: "red", witnessed: 1, tried: 1, tests_before: 1, tests_after: 2 },
  });
  expect(outcome.events.some(({ type }) => type === "iteration_failed")).toBe(false);
});

test.each<[string, { implement?: string; tests?: string }, RegExp]>([
  [
    "a script of package.json that runs nothing",
    {
      implement: `${slug}${breakUp}echo '{ "type": "module", "scripts": { "test": "true" } }' >package.json`,
      tests: tested,
    },
    /reports none now/,
  ],
  [
    "an old test that is skipped",
    {
      implement: `${slug}${breakUp}sed -i 's/test("up"/test.skip("up"/' test/up.test.js`,
      tests: "",
    },
    /reports none now/,
  ],
  ["no test at all", {}, /brings no test/],
  [
    "a setting that loads a file which hides failures",
    {
      implement: `${slug}${breakUp}echo 'process.exit = () => {};' >hide.cjs; echo 'node-options=--require=./hide.cjs' >.npmrc; echo 'process.on("exit", () => { process.exitCode = 0; })' >>hide.cjs`,
      tests: tested,
    },
    /With the settings this task found/,
  ],
])("%s passes nothing", async (_, script, because) => {
  const { outcome } = await play(script);
  expect(outcome.exitCode).toBe(3);
  const failures = outcome.events.flatMap((event) =>
    event.type === "iteration_failed" || event.type === "proof_asked" ? [event.feedback] : [],
  );
  expect(failures.join("\n")).toMatch(because);
});

test("an old test that is deleted beside an honest new one is asked about once, then a finding", async () => {
  const { outcome, judged } = await play({
    implement: `${slug}${breakUp}rm test/up.test.js`,
    tests: tested,
  });
  expect(outcome.exitCode).toBe(0);
  expect(outcome.events.filter(({ type }) => type === "proof_asked")).toHaveLength(1);
  expect(judged?.findings).toMatchObject([
    { kind: "finding", check: "originals", paths: ["test/up.test.js"] },
    { kind: "note", check: "flags" },
  ]);
});

test("a test that also passes without the work is asked about once, then a finding", async () => {
  const vacuous = write("test/slug.test.js", testOf("up", 'up("b"), "B"'));
  const { outcome, judged } = await play({ tests: vacuous });
  expect(outcome.exitCode).toBe(0);
  expect(outcome.events.filter(({ type }) => type === "proof_asked")).toHaveLength(1);
  expect(judged?.findings).toMatchObject([{ kind: "finding", check: "red_first" }]);
});
