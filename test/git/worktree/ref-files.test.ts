import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Repository } from "../../../src/git/repository/repository.ts";
import { readUserGit } from "../../../src/git/worktree/user-git.ts";
import { readRefFiles } from "../../../src/git/worktree/user-refs.ts";
import { createGitProject } from "../../support/project/git.ts";

/** Long after every change. */
const later = (repo: Repository): Repository => {
  const clock = { ...repo.system.clock, now: () => Date.now() + 60_000 };
  return { ...repo, system: { ...repo.system, clock } };
};

test("each change of a branch or tag shows, except of the session's own branch", async () => {
  await using project = await createGitProject();
  const repo = later(await project.open());
  const look = () => readRefFiles(repo, "ralph/own");
  let last = await look();
  expect(last).toBeTypeOf("string");
  for (const [command, isSeen] of [
    ["branch ralph/own", false],
    ["branch -f ralph/own HEAD", false],
    ["branch other", true],
    ["commit --allow-empty -qm more", true],
    ["tag v1", true],
    ["pack-refs --all", true],
    ["tag -d v1", true],
    ["branch -m other another", true],
    ["symbolic-ref refs/heads/alias refs/heads/main", true],
  ] as const) {
    project.git(...command.split(" "));
    const now = await look();
    expect(now !== last, command).toBe(isSeen);
    last = now;
  }
});

test("refs are read by git again only after their files have changed", async () => {
  await using project = await createGitProject();
  const opened = later(await project.open());
  let asked = 0;
  const ask: typeof opened.system.ask = (command) => {
    asked += 1;
    return opened.system.ask(command);
  };
  const repo = { ...opened, system: { ...opened.system, ask } };
  const first = await readUserGit(repo, { branch: "own", known: undefined });
  const second = await readUserGit(repo, { branch: "own", known: first });
  expect([asked, second.refs]).toEqual([1, first.refs]);
  project.git("branch", "other");
  const third = await readUserGit(repo, { branch: "own", known: second });
  expect(asked).toBe(2);
  expect([...third.refs.keys()]).toContain("refs/heads/other");
});

test("git is asked after a change a moment ago, and where refs are links or in tables", async () => {
  await using project = await createGitProject();
  const repo = later(await project.open());
  const heads = join(project.root, ".git/refs/heads");
  project.git("branch", "fresh");
  const now = { ...repo.system.clock, now: () => Date.now() - 1000 };
  const early = { ...repo, system: { ...repo.system, clock: now } };
  expect(await readRefFiles(early, "own")).toBeUndefined();
  expect(await readRefFiles(repo, "own")).toBeTypeOf("string");
  symlinkSync("main", join(heads, "link"));
  expect(await readRefFiles(repo, "own")).toBeUndefined();
  rmSync(join(heads, "link"));
  for (let count = 0; count < 200; count += 1) writeFileSync(join(heads, `b${count}`), "");
  expect(await readRefFiles(repo, "own")).toBeUndefined();
});
