import { symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readUserBranch, writeUserHead } from "../../../src/git/repository/user-head.ts";
import { createGitProject } from "../../support/project/git.ts";

test("the branch is read from a symbolic HEAD only", async () => {
  await using project = await createGitProject();
  const files = project.system.files(join(project.root, ".git"));
  const read = (text: string) => {
    project.write(".git/HEAD", text);
    return readUserBranch(files);
  };
  expect(await read("ref: refs/heads/main\n")).toBe("main");
  expect(await read("ref: refs/heads/a/b")).toBe("a/b");
  expect(await read(`${"0".repeat(40)}\n`)).toBeUndefined();
  expect(await read("ref: refs/tags/x\n")).toBeUndefined();
  expect(await read("")).toBeUndefined();
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
