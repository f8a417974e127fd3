import { utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Repository } from "../../../src/git/repository/repository.ts";
import { ignoredChanged } from "../../../src/git/worktree/ignored-changed.ts";
import { readStatus } from "../../../src/git/worktree/status.ts";
import { createGitProject } from "../../support/project/git.ts";

const ignore = "deps/\n*.log\n";

async function look(repo: Repository, sinceMs: number): Promise<string[]> {
  const { ignored } = await readStatus(repo);
  return ignoredChanged(repo, { ignored, sinceMs });
}

test("ignored files written since are named, also when their time was set back", async () => {
  await using project = await createGitProject({ ".gitignore": ignore });
  project.write("deps/pkg/index.js", "old");
  const repo = await project.open();
  await project.system.clock.sleep(30);
  const since = project.system.clock.now();
  await project.system.clock.sleep(30);
  expect(await look(repo, since)).toEqual([]);
  project.write("deps/pkg/evil.js", "");
  utimesSync(join(project.root, "deps/pkg/evil.js"), 1, 1);
  project.write("new.log", "");
  project.write("seen.txt", "");
  project.write(".ralph-session/session.json", "{}");
  expect(await look(repo, since)).toEqual(["new.log", "deps/pkg/evil.js"]);
});

test("at most 50 are named", async () => {
  await using project = await createGitProject({ ".gitignore": ignore });
  const repo = await project.open();
  for (let index = 0; index < 60; index++) project.write(`deps/${index}.js`, "");
  expect(await look(repo, 0)).toHaveLength(50);
});

test("a file written at once is named, though the kernel's clock may be behind ours", async () => {
  await using project = await createGitProject({ ".gitignore": ignore });
  const repo = await project.open();
  for (let round = 0; round < 20; round++) {
    const since = project.system.clock.now();
    project.write(`${round}.log`, "");
    expect(await look(repo, since)).toContain(`${round}.log`);
    await project.system.clock.sleep(1 + (round % 5));
  }
});
