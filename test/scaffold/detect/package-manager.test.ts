import { expect, test } from "vitest";
import { choosePackageManager } from "../../../src/scaffold/detect/package-manager.ts";

test.each<[string, string | undefined, string[], string]>([
  ["nothing", undefined, [], "npm install --no-package-lock"],
  ["a shrinkwrap", undefined, ["npm-shrinkwrap.json"], "npm ci"],
  ["what package.json asks for", "pnpm@9.1.0", ["package-lock.json"], "pnpm install --no-lockfile"],
  ["yarn classic", "yarn@1.22.0", ["yarn.lock"], "yarn install --frozen-lockfile"],
  ["a newer yarn", "yarn@4.0.0", ["yarn.lock"], "yarn install --immutable"],
  ["its settings", undefined, ["yarn.lock", ".yarnrc.yml"], "yarn install --immutable"],
  ["bun's old lockfile", undefined, ["bun.lockb"], "bun install --frozen-lockfile"],
  ["an unknown manager", "cnpm@1", ["yarn.lock"], "yarn install --frozen-lockfile"],
])("%s decides how packages are installed", (_, packageManager, files, install) => {
  const manifest = packageManager === undefined ? {} : { packageManager };
  expect(choosePackageManager(manifest, { names: files }).install).toBe(install);
});

test("the format of yarn.lock decides, unless package.json names the version", () => {
  const beside = { names: ["yarn.lock"], yarnLock: "# x\n\n__metadata:\n  version: 8\n" };
  const newer = choosePackageManager({}, beside);
  expect(newer.install).toBe("yarn install --immutable");
  expect(newer.ignores).toEqual(["node_modules/", ".pnp.*", ".yarn/install-state.gz"]);
  const asked = choosePackageManager({ packageManager: "yarn@1.22.22" }, beside);
  expect(asked.install).toBe("yarn install --frozen-lockfile");
});
