import { expect, test } from "vitest";
import { detectProject } from "../../../src/scaffold/detect/detect-project.ts";
import { renderConfig } from "../../../src/scaffold/write/render-config.ts";
import { parseConfig } from "../../../src/sources/config-file.ts";
import { createTestSystem } from "../../support/project/system.ts";
import type { Tree } from "./detect.ts";

/** The project `packages/a` of a larger repository. */
async function detectMember(tree: Tree) {
  await using system = await createTestSystem();
  const root = system.files(system.root);
  for (const [path, content] of Object.entries(tree)) {
    await root.write(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  const above = ["packages", ""].map((folder) => system.files(`${system.root}/${folder}`));
  const files = system.files(`${system.root}/packages/a`);
  const detected = await detectProject(files, { baseBranch: "main", above });
  const text = renderConfig(detected);
  parseConfig(Buffer.from(text), "ralph.yml");
  const gates = detected.gates.map(({ name, cmd }) => `${name}: ${cmd}`);
  return { text, gates, setup: detected.setup.map(({ cmd, cache }) => [cmd, ...cache]) };
}

const scripts = { lint: "x", test: "x" };
const npm = { workspaces: ["packages/*"] };
const pnpm = { "pnpm-workspace.yaml": "packages:\n  - packages/**\n", "pnpm-lock.yaml": "" };

test.each<[string, Tree, string[], string[]]>([
  [
    "pnpm",
    { "package.json": { scripts }, ...pnpm, "packages/a/package.json": {} },
    ["cd ../.. && pnpm install --frozen-lockfile", "../../pnpm-lock.yaml"],
    ["lint: cd ../.. && pnpm run lint", "test: cd ../.. && pnpm run test"],
  ],
  [
    "npm, where the package has a script of its own",
    {
      "package.json": { ...npm, scripts },
      "package-lock.json": "{}",
      "packages/a/package.json": { scripts: { test: "x" } },
    },
    ["cd ../.. && npm ci", "../../package-lock.json"],
    ["lint: cd ../.. && npm run lint", "test: npm test"],
  ],
  [
    "yarn",
    {
      "package.json": { workspaces: { packages: ["./packages/a/"] }, scripts },
      "yarn.lock": "__metadata:\n",
      "packages/a/package.json": {},
    },
    ["cd ../.. && yarn install --immutable", "../../yarn.lock"],
    ["lint: cd ../.. && yarn run lint", "test: cd ../.. && yarn run test"],
  ],
  [
    "npm without a lockfile",
    { "package.json": { ...npm, scripts: {} }, "packages/a/package.json": {} },
    ["cd ../.. && npm install --no-package-lock", "package.json", "../../package.json"],
    [],
  ],
])("a package of a workspace of %s is installed and checked at its root", async (...given) => {
  const [, tree, setup, gates] = given;
  expect(await detectMember(tree)).toMatchObject({ setup: [setup], gates });
});

test("a package that no workspace lists has nothing from the folders above", async () => {
  const own = { scripts: { build: "x" }, devDependencies: { vitest: "4" } };
  const root = { workspaces: ["packages/*", "!packages/a"], scripts };
  const tree = { "package.json": root, "package-lock.json": "{}", "packages/a/package.json": own };
  expect(await detectMember(tree)).toMatchObject({
    setup: [["npm install --no-package-lock", "package.json"]],
    gates: ["build: npm run build", expect.stringMatching(/vitest run$/)],
  });
});

test("without any gate the example names no script, because no script exists", async () => {
  const tree = { "package.json": {}, ...pnpm, "packages/a/package.json": {} };
  const { text } = await detectMember(tree);
  expect(text).toContain("#       cmd: node --test\n");
  expect(text).not.toContain("pnpm run test");
});

test("the tests of the whole workspace decide whether its test command may be red", async () => {
  const root = { ...npm, scripts: { test: "vitest run" } };
  const tree = { "package.json": root, "packages/a/package.json": {} };
  expect((await detectMember(tree)).text).toContain("baseline: allow");
  const { text } = await detectMember({ ...tree, "packages/b/x.test.ts": "" });
  expect(text).not.toMatch(/baseline: allow #/);
});
