import { expect, test } from "vitest";
import { detect, type Tree } from "./detect.ts";

const placeholder = { scripts: { test: 'echo "Error: no test specified" && exit 1' } };
const scripts = { lint: "x", typecheck: "x", build: "x", test: "x" };
const dev = (...names: string[]) => ({
  devDependencies: Object.fromEntries(names.map((name) => [name, "1"])),
});

test.each<[string, Tree, { template: string; setup: string[]; gates: string[] }]>([
  ["nothing", {}, { template: "minimal", setup: [], gates: [] }],
  [
    "an empty Node package with the placeholder of npm init",
    { "package.json": placeholder },
    { template: "node", setup: [], gates: [] },
  ],
  [
    "npm with a lockfile and all scripts",
    { "package.json": { scripts }, "package-lock.json": "{}" },
    {
      template: "node",
      setup: ["npm ci"],
      gates: [
        "lint: npm run lint",
        "typecheck: npm run typecheck",
        "build: npm run build",
        "test: npm test",
      ],
    },
  ],
  [
    "dependencies without a lockfile: none is made",
    { "package.json": { scripts: { test: "vitest run" }, ...dev("vitest") } },
    { template: "node", setup: ["npm install --no-package-lock"], gates: ["test: npm test"] },
  ],
  [
    "pnpm, and TypeScript without a script",
    {
      "package.json": { scripts: { test: "x" }, ...dev("typescript") },
      "pnpm-lock.yaml": "",
      "tsconfig.json": "{}",
    },
    {
      template: "node",
      setup: ["pnpm install --frozen-lockfile"],
      gates: ["typecheck: pnpm exec tsc --noEmit", "test: pnpm run test"],
    },
  ],
  [
    "TypeScript references alone check nothing",
    {
      "package.json": { scripts: { test: "x" }, ...dev("typescript") },
      "yarn.lock": "",
      "tsconfig.json": '{ "files": [], "references": [] }',
    },
    {
      template: "node",
      setup: ["yarn install --frozen-lockfile"],
      gates: ["test: yarn run test"],
    },
  ],
  [
    "bun",
    { "package.json": { scripts: { test: "bun test" } }, "bun.lock": "" },
    { template: "node", setup: ["bun install --frozen-lockfile"], gates: ["test: bun run test"] },
  ],
  [
    "a test script that watches gives way to one that ends",
    { "package.json": { scripts: { test: "jest --watch", "test:ci": "jest" } } },
    { template: "node", setup: [], gates: ["test: npm run test:ci"] },
  ],
  ...["jest -w", "vitest watch", "nodemon --exec mocha", "ng test"].map(
    (test): [string, Tree, { template: string; setup: string[]; gates: string[] }] => [
      `${test}, which never ends`,
      { "package.json": { scripts: { test } } },
      { template: "node", setup: [], gates: [] },
    ],
  ),
  [
    "a linter that repairs, beside one that only looks",
    { "package.json": { scripts: { lint: "eslint --fix .", "lint:check": "eslint ." } } },
    { template: "node", setup: [], gates: ["lint: npm run lint:check"] },
  ],
  [
    "tools that are installed and set up, without scripts",
    {
      "package.json": { ...placeholder, ...dev("eslint", "typescript", "vitest", "prettier") },
      "eslint.config.js": "",
      "tsconfig.json": "{}",
      "src/a.test.ts": "",
    },
    {
      template: "node",
      setup: ["npm install --no-package-lock"],
      gates: [
        "lint: npx --no-install eslint .",
        "typecheck: npx --no-install tsc --noEmit",
        "test: npx --no-install vitest run",
      ],
    },
  ],
  [
    "scripts of the project's own for types and lint, not guessed commands",
    {
      "package.json": {
        scripts: {
          "test:types": "tsgo --noEmit",
          style: "eslint src",
          "style:fix": "eslint --fix",
        },
        ...dev("eslint", "typescript"),
      },
      "eslint.config.js": "",
      "tsconfig.json": "{}",
    },
    {
      template: "node",
      setup: ["npm install --no-package-lock"],
      gates: ["lint: npm run style", "typecheck: npm run test:types"],
    },
  ],
  [
    "a script that does more than check the types",
    {
      "package.json": { scripts: { release: "tsc --noEmit && npm publish" }, ...dev("typescript") },
      "tsconfig.json": "{}",
    },
    {
      template: "node",
      setup: ["npm install --no-package-lock"],
      gates: ["typecheck: npx --no-install tsc --noEmit"],
    },
  ],
  [
    "a linter without settings, which would only complain about that",
    { "package.json": dev("eslint", "@biomejs/biome"), "bun.lock": "", "biome.json": "{}" },
    {
      template: "node",
      setup: ["bun install --frozen-lockfile"],
      gates: ["lint: bun x --no-install biome check"],
    },
  ],
  [
    "a program that watches unless it runs in CI",
    { "package.json": { scripts: { test: "react-scripts test" } } },
    { template: "node", setup: [], gates: ["test: CI=true npm test"] },
  ],
  [
    "a package.json that is broken",
    { "package.json": "{ scripts" },
    { template: "node", setup: [], gates: [] },
  ],
  [
    "a workspace whose packages have the scripts",
    {
      "package.json": { workspaces: ["packages/*"] },
      "package-lock.json": "{}",
      "packages/a/package.json": { scripts: { test: "x", lint: "x" } },
      "packages/b/package.json": { scripts: { test: "x" } },
    },
    {
      template: "node",
      setup: ["npm ci"],
      gates: [
        "lint: npm run lint --workspaces --if-present",
        "test: npm run test --workspaces --if-present",
      ],
    },
  ],
  [
    "a pnpm workspace with a placeholder in one package",
    {
      "package.json": { name: "mono" },
      "pnpm-lock.yaml": "",
      "pnpm-workspace.yaml": "packages:\n  # all\n  - 'apps/*'\n",
      "apps/a/package.json": { scripts: { test: "x", build: "x" } },
      "apps/b/package.json": placeholder,
    },
    {
      template: "node",
      setup: ["pnpm install --frozen-lockfile"],
      gates: ["build: pnpm --recursive --if-present run build"],
    },
  ],
])("only what can run is proposed for %s", async (_, tree, expected) => {
  expect(await detect(tree)).toMatchObject(expected);
});

test.each<[string, Tree, boolean]>([
  ["vitest run", {}, true],
  ["vitest run", { "src/deep/a.spec.tsx": "" }, false],
  ["jest", { "test/a.js": "" }, false],
  ["jest", { "node_modules/a/b.test.js": "", "src/a.js": "" }, true],
  ["jest --passWithNoTests", {}, false],
  ["node --test", {}, false],
])("%s with %j may be red before the work starts: %s", async (test, tree, mayBeRed) => {
  const text = { scripts: { test } };
  const { redBecause } = await detect({ ...tree, "package.json": text });
  expect(redBecause).toEqual(mayBeRed ? [expect.stringMatching(/while there are no tests/)] : []);
});
