import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linkPackages } from "../../src/gates/link-packages.ts";
import { createTestSystem } from "../support/project/system.ts";
import { writeTree } from "./shell-deps.ts";

/** Links from `work` into `checkout`, both filled first. */
async function link(work: Record<string, string>, checkout: Record<string, string>) {
  await using system = await createTestSystem();
  const [from, to] = [join(system.root, "work"), join(system.root, "checkout")];
  await Promise.all([mkdir(from), mkdir(to)]);
  await writeTree(from, work);
  await writeTree(to, checkout);
  const links = await linkPackages(system, { from, to, paths: Object.keys(checkout) });
  const kinds = links.map(async (path) => (await system.files(to).stat(path))?.kind);
  return { links, kinds: await Promise.all(kinds) };
}

const installed = { "node_modules/a/index.js": "", "web/node_modules/b/index.js": "" };

test("beside each manifest of the checkout, what is installed there is linked", async () => {
  const checkout = { "package.json": "{}", "web/package.json": "{}", "docs/package.json": "{}" };
  expect(await link(installed, checkout)).toEqual({
    links: ["node_modules", "web/node_modules"],
    kinds: ["link", "link"],
  });
});

test("folders without a manifest in the checkout are left out", async () => {
  expect((await link(installed, { "web/package.json": "{}" })).links).toEqual(["web/node_modules"]);
});

test.each([
  ["npm or yarn", { "package.json": '{"workspaces":["packages/*"]}' }],
  ["pnpm", { "package.json": "{}", "pnpm-workspace.yaml": "packages: []" }],
])("a workspace of %s leads back to the work tree and is not linked", async (_, checkout) => {
  expect((await link(installed, checkout)).links).toEqual([]);
});

test("what the checkout holds itself stays", async () => {
  const checkout = { "package.json": "{}", "node_modules/mine/index.js": "" };
  expect((await link(installed, checkout)).links).toEqual([]);
});

test("a link in the work tree is not passed on", async () => {
  const work = { "elsewhere/a.js": "", node_modules: "->elsewhere" };
  expect((await link(work, { "package.json": "{}" })).links).toEqual([]);
});

test("environments, vendored code and build folders are not linked", async () => {
  const work = { ".venv/bin/python": "", "vendor/autoload.php": "", "target/debug/app": "" };
  const checkout = { "pyproject.toml": "", "composer.json": "{}", "Cargo.toml": "" };
  expect((await link(work, checkout)).links).toEqual([]);
});
