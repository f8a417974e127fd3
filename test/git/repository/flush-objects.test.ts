import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitWork } from "../../../src/git/commits/commit.ts";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import { objectMethod } from "../../../src/git/repository/flush-objects.ts";
import type { Repository } from "../../../src/git/repository/repository.ts";
import { stagePaths } from "../../../src/git/worktree/stage.ts";
import type { Files } from "../../../src/platform/system.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

/** The repository as on a file system that keeps changes in their order, or not, and what was flushed, in order. */
async function watch(project: GitProject, flushesAtOnce: boolean) {
  const repo = await project.open();
  const log = join(project.folder, "events");
  project.write("../events", "");
  const flushes: string[] = [];
  const readEvents = () => {
    const events = readFileSync(log, "utf8").trim().split("\n").flatMap(parseFlush);
    project.write("../events", "");
    flushes.push(...events);
  };
  const files = (root: string): Files => ({
    ...repo.system.files(root),
    sync: async (paths) => {
      readEvents();
      flushes.push(...paths.map((path) => `sync ${root.slice(-2)}${path}`));
      await repo.system.files(root).sync(paths);
    },
  });
  const env = { ...repo.env, GIT_TRACE2_EVENT: log };
  const watched: Repository = { ...repo, env, flushesAtOnce, system: { ...repo.system, files } };
  const takeFlushes = () => {
    readEvents();
    return flushes.splice(0);
  };
  return { repo: watched, takeFlushes };
}

/** git counts its flushes at the end of each command: `write-tree fsync/hardware-flush 2`. */
function parseFlush(line: string): string[] {
  const event = line === "" ? {} : JSON.parse(line);
  return event.category === "fsync" && event.value > 0 ? [`${event.key} ${event.value}`] : [];
}

test("without an order every object is flushed on its own", async () => {
  await using project = await createGitProject();
  const { repo, takeFlushes } = await watch(project, false);
  project.write("new/one.txt", "1");
  await stagePaths(repo, ["new/one.txt"]);
  expect(takeFlushes()).toEqual(["fsync/hardware-flush 1", "fsync/hardware-flush 2"]);
  expect(objectMethod(repo)).toBe("fsync");
});

test("in order, one flush of the tree follows all objects of a snapshot, however many there are", async () => {
  await using project = await createGitProject();
  const { repo, takeFlushes } = await watch(project, true);
  const paths = Array.from({ length: 40 }, (_, index) => `new/${index}.txt`);
  for (const path of paths) project.write(path, path);
  const tree = await stagePaths(repo, paths);
  expect(takeFlushes()).toEqual([
    "fsync/writeout-only 40",
    "fsync/writeout-only 2",
    `sync ${tree}`,
  ]);
});

test("a tree that is in a pack is an old one: nothing is left to flush", async () => {
  await using project = await createGitProject();
  project.git("gc", "-q");
  const { repo, takeFlushes } = await watch(project, true);
  expect(await stagePaths(repo, ["a.txt"])).toBe(project.git("rev-parse", "HEAD^{tree}"));
  expect(takeFlushes()).toEqual([]);
});

test("in order, the flush of the ref follows all objects of a commit", async () => {
  await using project = await createGitProject();
  const { repo, takeFlushes } = await watch(project, true);
  const { branch, commit: parent, tree } = await readStartPoint(repo);
  project.write(".ralph/prd.json", "{}");
  const work = { branch, parent, tree, message: "work\n", date: "2026-01-25T14:30:52.123Z" };
  await commitWork(repo, { ...work, paths: [".ralph/prd.json"] });
  expect(takeFlushes()).toEqual([
    "fsync/writeout-only 1",
    "fsync/writeout-only 2",
    "fsync/writeout-only 1",
    "fsync/hardware-flush 1",
  ]);
});
