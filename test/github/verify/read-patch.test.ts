import { chmodSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addedLines, changedBytes, readPatch } from "../../../src/github/verify/patch.ts";
import { createGitProject } from "../../support/project/git.ts";

test("a commit's files are read with modes, sizes and both contents", async () => {
  await using project = await createGitProject({ "b.txt": "one\ntwo\n", "gone.txt": "gone\n" });
  project.write("b.txt", "one\nthree\n");
  project.write("new dir/ü.txt", "new\n");
  project.write("big.bin", Buffer.alloc(100));
  symlinkSync("b.txt", join(project.root, "link"));
  chmodSync(join(project.root, "a.txt"), 0o755);
  rmSync(join(project.root, "gone.txt"));
  project.git("add", "-A");
  project.git("commit", "-qm", "work\n\nmore");
  const commit = project.git("rev-parse", "HEAD");
  const patch = await readPatch(await project.open(), { commit, maxFileBytes: 50 });
  const shown = patch.files.map(({ path, before, after }) => [
    path,
    before && `${before.mode} ${before.content}`,
    after && `${after.mode} ${after.content ?? after.bytes}`,
  ]);
  expect(patch.text).toMatch(/^tree [0-9a-f]+\nparent .*\nauthor Ada .*\n\nwork\n\nmore\n$/s);
  expect(patch.paths).toEqual(["a.txt", "b.txt", "big.bin", "link", "new dir/ü.txt"]);
  expect(shown).toEqual([
    ["a.txt", "100644 a\n", "100755 a\n"],
    ["b.txt", "100644 one\ntwo\n", "100644 one\nthree\n"],
    ["big.bin", undefined, "100644 100"],
    ["gone.txt", "100644 gone\n", undefined],
    ["link", undefined, "120000 b.txt"],
    ["new dir/ü.txt", undefined, "100644 new\n"],
  ]);
  expect(patch.files.map(addedLines)[1]).toEqual(["three"]);
  expect(patch.files.map(changedBytes)).toEqual([0, 10, 100, 5, 6, 4]);
});

test("paths are relative to the project, even when it lies below the repository's root", async () => {
  await using project = await createGitProject({ "app/.ralph/x": "x\n" });
  project.write("app/y.txt", "y\n");
  project.write("outside.txt", "z\n");
  project.git("add", "-A");
  project.git("commit", "-qm", "work");
  const repo = await project.open({ directory: join(project.root, "app") });
  const commit = project.git("rev-parse", "HEAD");
  const { files } = await readPatch(repo, { commit, maxFileBytes: 50 });
  expect(files.map(({ path }) => path)).toEqual(["y.txt", "../outside.txt"]);
});
