import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPack, writePack } from "../../../src/git/commits/bundle.ts";
import { openSideRepository } from "../../../src/git/open/open-side-repository.ts";
import { missingObjects, readCommit } from "../../../src/git/trees/objects.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

const openSide = ({ system, root, stateDir }: GitProject) =>
  openSideRepository(system, { directory: root, privateDir: join(stateDir, "side") });

test("looks into a repository with a detached HEAD, and leaves nothing behind", async () => {
  await using project = await createGitProject();
  const commit = project.git("rev-parse", "HEAD");
  project.git("checkout", "-q", "--detach");
  {
    await using side = await openSide(project);
    expect((await readCommit(side, commit))?.message).toContain("start");
  }
  expect(existsSync(join(project.stateDir, "side"))).toBe(false);
  expect(project.git("cat-file", "-t", commit)).toBe("commit");
});

test("objects of a pack are there as long as it is open, and never in the user's repository", async () => {
  await using from = await createGitProject();
  const start = from.git("rev-parse", "HEAD");
  from.git("clone", "-q", from.root, join(from.folder, "other"));
  from.write("b.txt", "b\n");
  from.git("add", "-A");
  from.git("commit", "-qm", "more");
  const commit = from.git("rev-parse", "HEAD");
  const file = join(from.folder, "objects.pack");
  await writePack(await from.open(), { file, commits: [commit], trees: [], exclude: start });

  const other = { ...from, root: join(from.folder, "other") };
  await using side = await openSide(other);
  expect(await missingObjects(side, [commit])).toEqual([commit]);
  expect(await readPack(side, file)).toEqual({ kind: "read" });
  expect(await missingObjects(side, [commit, start])).toEqual([]);
  expect(() => from.gitIn(other.root, "cat-file", "-e", commit)).toThrow(/./);
});
