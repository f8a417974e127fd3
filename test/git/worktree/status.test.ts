import { statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseStatus, readStatus } from "../../../src/git/worktree/status.ts";
import { createGitProject } from "../../support/project/git.ts";

const zeros = "0".repeat(40);
const record = (xy: string, modes: string, path: string) =>
  `1 ${xy} N... ${modes} ${zeros} ${zeros} ${path}\0`;

test("each kind of record is recognized, with names as they are", () => {
  const output = [
    `# branch.oid ${zeros}\0# branch.head main\0`,
    record(".M", "100644 100644 100644", "with space"),
    record("A.", "000000 100644 100644", "line\nbreak"),
    record(".T", "100644 100644 160000", "gitlink"),
    `u UU N... 100644 100644 100644 100644 ${zeros} ${zeros} ${zeros} both\0`,
    "? -dash\0? nested/\0! deps/\0",
  ].join("");
  expect(parseStatus(Buffer.from(output))).toEqual({
    tip: zeros,
    records: [
      { path: "with space", staged: ".", unstaged: "M", isGitlink: false },
      { path: "line\nbreak", staged: "A", unstaged: ".", isGitlink: false },
      { path: "gitlink", staged: ".", unstaged: "T", isGitlink: true },
      { path: "both", staged: "U", unstaged: "U", isGitlink: false },
      { path: "-dash", staged: ".", unstaged: "?", isGitlink: false },
      { path: "nested/", staged: ".", unstaged: "?", isGitlink: false },
    ],
    ignored: ["deps/"],
  });
});

test("a branch that is gone has no tip", () => {
  expect(parseStatus(Buffer.from("# branch.oid (initial)\0")).tip).toBeUndefined();
});

test("a look writes the index only after one that took long", async () => {
  await using project = await createGitProject();
  const opened = await project.open();
  const looks = { ms: 0, tookMs: 5 };
  const monotonic = () => (looks.ms += looks.tookMs);
  const clock = { ...opened.system.clock, monotonic };
  const repo = { ...opened, system: { ...opened.system, clock } };
  const index = () => statSync(join(repo.privateDir, "index")).ino;
  // Touched, not changed: git has to read it again until it may write down its time.
  utimesSync(join(project.root, "a.txt"), 1, 1);
  const before = index();
  await readStatus(repo);
  expect(index()).toBe(before);
  looks.tookMs = 500;
  await readStatus(repo);
  expect(index()).toBe(before);
  looks.tookMs = 5;
  expect((await readStatus(repo)).records).toEqual([]);
  expect(index()).not.toBe(before);
});
