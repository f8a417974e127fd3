import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import { bareRepositories, changesSince, nameKind } from "../../../src/git/worktree/changes.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

const unchanged = { nested: [], tooLarge: [], filtered: [], ignored: [], headMoved: false };
const nothing = { changes: [], ...unchanged };

async function look(project: GitProject) {
  const repo = await project.open();
  return changesSince(repo, await readStartPoint(repo));
}

test("an untouched work tree has no change, in one process", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const start = await readStartPoint(repo);
  let calls = 0;
  const ask: typeof project.system.ask = (command) => {
    calls += 1;
    return project.system.ask(command);
  };
  expect(await changesSince({ ...repo, system: { ...repo.system, ask } }, start)).toEqual(nothing);
  expect(calls).toBe(1);
});

test("every kind of change is named, staged by the agent or not", async () => {
  await using project = await createGitProject({ "b.txt": "", "c.txt": "", "d/e.txt": "" });
  const repo = await project.open();
  const start = await readStartPoint(repo);
  project.write("a.txt", "more");
  rmSync(join(project.root, "b.txt"));
  rmSync(join(project.root, "c.txt"));
  symlinkSync("/etc/passwd", join(project.root, "c.txt"));
  rmSync(join(project.root, "d"), { recursive: true });
  symlinkSync("/tmp", join(project.root, "d"));
  project.write("new.txt", "");
  chmodSync(join(project.root, "new.txt"), 0o755);
  project.git("add", "-A");
  expect(await changesSince(repo, start)).toEqual({
    ...nothing,
    changes: [
      { path: "a.txt", kind: "modified" },
      { path: "b.txt", kind: "deleted" },
      { path: "c.txt", kind: "type-changed", isLink: true },
      { path: "d/e.txt", kind: "deleted" },
      { path: "d", kind: "added", isLink: true },
      { path: "new.txt", kind: "added" },
    ],
  });
});

test("odd names are named exactly", async () => {
  await using project = await createGitProject();
  const names = ["\t", " x ", '"', "-dash", ":(x", "\\", "e\u0301", "line\nbreak", "é"];
  for (const name of names) project.write(name, "");
  const { changes } = await look(project);
  expect(changes.map(({ path }) => path).sort()).toEqual([...names].sort());
});

test("a name that is not UTF-8 is named with one surrogate per byte", async () => {
  await using project = await createGitProject();
  execFileSync("sh", ["-c", "touch \"$(printf 'caf\\351')\""], { cwd: project.root });
  expect((await look(project)).changes).toEqual([{ path: "caf\udce9", kind: "added" }]);
});

test("nested repositories, gitlinks, pipes and bare repositories are refused by name (T43, T39)", async () => {
  await using project = await createGitProject({ "file.txt": "", "pipe.txt": "" });
  const repo = await project.open();
  const start = await readStartPoint(repo);
  project.git("init", "-q", "nested");
  rmSync(join(project.root, "file.txt"));
  project.git("init", "-q", "file.txt");
  project.gitIn(join(project.root, "file.txt"), "commit", "-q", "--allow-empty", "-m", "x");
  rmSync(join(project.root, "pipe.txt"));
  execFileSync("mkfifo", [join(project.root, "pipe.txt")]);
  for (const part of ["HEAD", "config", "objects/info/x", "refs/heads/main"]) {
    project.write(`bare.git/${part}`, "");
  }
  const found = await changesSince(repo, start);
  expect(found.changes).toEqual([]);
  expect(found.nested.map(({ path }) => path)).toEqual([
    "file.txt",
    "pipe.txt",
    "bare.git/HEAD",
    "bare.git/config",
    "bare.git/objects/info/x",
    "bare.git/refs/heads/main",
    "nested/",
  ]);
});

test("an untracked file above 5 MiB is only named", async () => {
  await using project = await createGitProject();
  project.write("large.bin", "");
  project.write("fits.bin", "");
  truncateSync(join(project.root, "large.bin"), 5 * 1024 * 1024 + 1);
  truncateSync(join(project.root, "fits.bin"), 5 * 1024 * 1024);
  expect(await look(project)).toEqual({
    ...nothing,
    changes: [{ path: "fits.bin", kind: "added" }],
    tooLarge: [{ path: "large.bin", kind: "added" }],
  });
});

test("paths with a filter are refused by name, whatever the agent writes into .gitattributes", async () => {
  await using project = await createGitProject({
    ".gitattributes": "*.bin filter=lfs diff=lfs -text\n",
    "pointer.bin": "version https://git-lfs.github.com/spec/v1\n",
  });
  const repo = await project.open();
  const start = await readStartPoint(repo);
  project.write("pointer.bin", "real content");
  project.write("new.bin", "");
  project.write(".gitattributes", "*.txt filter=x\n");
  project.write("a.txt", "changed");
  const found = await changesSince(repo, start);
  expect(found.filtered.map(({ path }) => path)).toEqual(["pointer.bin", "new.bin"]);
  expect(found.changes.map(({ path }) => path)).toEqual([".gitattributes", "a.txt"]);
});

const moves: [string, (project: GitProject) => void][] = [
  ["commits", (project) => project.git("commit", "-q", "--allow-empty", "-m", "mine")],
  ["switches branch", (project) => project.git("switch", "-q", "-c", "other")],
  ["detaches HEAD", (project) => project.git("checkout", "-q", "--detach")],
  ["replaces HEAD by a link", linkHead],
  ["deletes the branch", (project) => project.git("update-ref", "-d", "refs/heads/main")],
];

test.each(moves)("an agent that %s has moved HEAD", async (_, move) => {
  await using project = await createGitProject();
  const repo = await project.open();
  const start = await readStartPoint(repo);
  move(project);
  expect((await changesSince(repo, start)).headMoved).toBe(true);
});

test("changes outside the project's folder are seen, relative to it", async () => {
  await using project = await createGitProject({ "app/x": "" });
  project.write("lib/y", "");
  const repo = await project.open({ directory: join(project.root, "app") });
  const { changes } = await changesSince(repo, await readStartPoint(repo));
  expect(changes).toEqual([{ path: "../lib/y", kind: "added" }]);
});

test("a folder is a bare repository only with HEAD, objects and refs side by side", () => {
  const whole = ["x/y/HEAD", "x/y/objects/a", "x/y/refs/a"];
  expect([...bareRepositories(whole)]).toEqual(["x/y/"]);
  expect(bareRepositories(whole.slice(1)).size).toBe(0);
  expect(bareRepositories(["x/HEAD", "x/objects/a", "y/refs/a"]).size).toBe(0);
});

const file = { kind: "file", bytes: 1, changedMs: 0 } as const;
const untracked = { path: "x", staged: ".", unstaged: "?", isGitlink: false };
const plain = { stat: file, isFiltered: false, isInBare: false };

test.each([
  ["changes", untracked, plain],
  ["changes", { ...untracked, unstaged: "M" }, { ...plain, stat: { ...file, bytes: 1e9 } }],
  ["changes", { ...untracked, unstaged: "D" }, { ...plain, stat: undefined }],
  ["tooLarge", untracked, { ...plain, stat: { ...file, bytes: 1e9 } }],
  ["filtered", untracked, { ...plain, isFiltered: true }],
  ["nested", { ...untracked, path: "x/" }, { ...plain, isFiltered: true }],
  ["nested", { ...untracked, isGitlink: true }, plain],
  ["nested", untracked, { ...plain, stat: { ...file, kind: "other" as const } }],
])("belongs to %s: %j with %j", (kind, record, facts) => {
  expect(nameKind(record, facts)).toBe(kind);
});

function linkHead(project: GitProject): void {
  const head = join(project.root, ".git/HEAD");
  project.write("../elsewhere", "ref: refs/heads/main\n");
  rmSync(head);
  symlinkSync(join(project.folder, "elsewhere"), head);
  mkdirSync(join(project.root, "empty"));
}
