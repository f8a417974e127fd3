import { symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readUserBranch, writeUserHead } from "../../src/git/user-head.ts";
import { createGitProject } from "../support/git.ts";

test.each([
  ["ref: refs/heads/main\n", "main"],
  ["ref: refs/heads/a/b", "a/b"],
  ["0123456789012345678901234567890123456789\n", undefined],
  ["ref: refs/tags/x\n", undefined],
  ["", undefined],
])("HEAD %j names %j", async (text, branch) => {
  await using project = await createGitProject();
  project.write(".git/HEAD", text);
  expect(await readUserBranch(project.system.files(join(project.root, ".git")))).toBe(branch);
});

test("a link in place of HEAD is replaced, not followed", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const head = join(project.root, ".git/HEAD");
  project.write("../victim", "theirs");
  unlinkSync(head);
  symlinkSync(join(project.folder, "victim"), head);
  await writeUserHead(repo, "main");
  expect(project.read("../victim")).toBe("theirs");
  expect(project.read(".git/HEAD")).toBe("ref: refs/heads/main\n");
});
