import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestFolder } from "../../support/project/system.ts";

const nobody = 65534;
const module = join(import.meta.dirname, "../../../src/platform/fs/folder-tree.ts");

/** Nothing is denied to user 0. */
function removeAsAnybody(path: string): void {
  const code = `const { removeTree } = await import(${JSON.stringify(module)}); await removeTree(${JSON.stringify(path)});`;
  const isRoot = process.getuid?.() === 0;
  execFileSync(process.execPath, ["--input-type=module", "-e", code], {
    ...(isRoot && { uid: nobody, gid: nobody }),
    stdio: "pipe",
  });
}

function give(path: string): void {
  if (process.getuid?.() === 0) chownSync(path, nobody, nobody);
}

test("folders without write permission are removed with everything in them", async () => {
  await using folder = await createTestFolder();
  const { path: root } = folder;
  give(root);
  for (const path of ["cache", "cache/mod", "cache/mod/deep"]) {
    mkdirSync(join(root, path));
    writeFileSync(join(root, path, "file"), "");
    give(join(root, path));
  }
  for (const path of ["cache/mod/deep", "cache/mod"]) chmodSync(join(root, path), 0o555);
  removeAsAnybody(join(root, "cache"));
  expect(readdirSync(root)).toEqual([]);
});

test("another user's files stay, and removing them is an error", async () => {
  await using folder = await createTestFolder();
  if (process.getuid?.() !== 0) return;
  const { path: root } = folder;
  give(root);
  mkdirSync(join(root, "theirs/inner"), { recursive: true });
  writeFileSync(join(root, "theirs/inner/file"), "");
  expect(() => removeAsAnybody(join(root, "theirs"))).toThrow(/EACCES/);
  expect(existsSync(join(root, "theirs/inner/file"))).toBe(true);
});
