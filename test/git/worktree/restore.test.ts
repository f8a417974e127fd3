import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import type { Repository } from "../../../src/git/repository/repository.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
import { restorePaths } from "../../../src/git/worktree/restore.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

const files = { "b.txt": "b\n", "d/e.txt": "e\n", "d/f.txt": "f\n" };

async function restoreAll(repo: Repository) {
  const { changes, nested } = await changesSince(repo, await readStartPoint(repo));
  await restorePaths(repo, [...changes, ...nested]);
  return changesSince(repo, await readStartPoint(repo));
}

const damages: [string, (root: string, project: GitProject) => void][] = [
  ["content", (_, project) => project.write("a.txt", "evil")],
  ["mode", (root) => chmodSync(join(root, "a.txt"), 0o755)],
  ["deletion", (root) => rmSync(join(root, "d"), { recursive: true })],
  ["a link for a file", (root) => replaceByLink(join(root, "a.txt"))],
  ["a link for a folder", (root) => replaceByLink(join(root, "d"))],
  ["a folder for a file", fileToFolder],
  ["a file for a folder", folderToFile],
  ["a repository for a file", fileToRepository],
  ["a pipe for a file", fileToPipe],
  ["new files in new folders", (_, project) => project.write("x/y/z.txt", "")],
  ["new files among old ones", (_, project) => project.write("d/-new\nfile", "")],
  ["a nested repository", (_, project) => void project.git("init", "-q", "nested")],
  ["a new link", (root) => symlinkSync("/etc/passwd", join(root, "users"))],
  ["staged changes", stageAll],
];

test.each(damages)("%s is put back exactly", async (_, damage) => {
  await using project = await createGitProject(files);
  symlinkSync("a.txt", join(project.root, "link"));
  project.git("add", "-A");
  project.git("commit", "-qm", "link");
  const repo = await project.open();
  const before = snapshot(project.root);
  damage(project.root, project);
  expect(snapshot(project.root)).not.toEqual(before);
  expect((await restoreAll(repo)).changes).toEqual([]);
  expect(snapshot(project.root)).toEqual(before);
});

test("nothing outside is touched when a folder became a link (T38)", async () => {
  await using project = await createGitProject(files);
  const outside = join(project.folder, "outside");
  mkdirSync(outside);
  project.write("../outside/e.txt", "theirs");
  project.write("../outside/new.txt", "theirs");
  rmSync(join(project.root, "d"), { recursive: true });
  symlinkSync(outside, join(project.root, "d"));
  await restoreAll(await project.open());
  expect(project.read("../outside/e.txt")).toBe("theirs");
  expect(readdirSync(outside)).toEqual(["e.txt", "new.txt"]);
  expect(project.read("d/e.txt")).toBe("e\n");
});

test("only the named paths are put back", async () => {
  await using project = await createGitProject(files);
  const repo = await project.open();
  project.write("a.txt", "1");
  project.write("b.txt", "2");
  project.write("d/new", "3");
  project.write("d/kept", "4");
  await restorePaths(repo, [
    { path: "a.txt", kind: "modified" },
    { path: "d/new", kind: "added" },
  ]);
  expect(project.git("status", "--porcelain", "-uall")).toBe("M b.txt\n?? d/kept");
});

test("files an emptied .gitignore laid bare survive", async () => {
  await using project = await createGitProject({ ".gitignore": "deps/\n" });
  project.write("deps/left-pad.js", "");
  const repo = await project.open();
  project.write(".gitignore", "");
  project.write("deps/.gitignore", "!*\n");
  await restoreAll(repo);
  expect(existsSync(join(project.root, "deps/left-pad.js"))).toBe(true);
});

test("a .gitattributes of the agent does not change how files are written", async () => {
  await using project = await createGitProject({ ".gitattributes": "*.md text\n" });
  const repo = await project.open();
  project.write(".gitattributes", "* text eol=crlf\n");
  project.write("a.txt", "changed");
  await restoreAll(repo);
  expect(project.read("a.txt")).toBe("a\n");
});

test("a name that is not UTF-8 is restored and removed", async () => {
  await using project = await createGitProject();
  const name = "caf\\351";
  const shell = (script: string) => execFileSync("sh", ["-c", script], { cwd: project.root });
  shell(`echo old > "$(printf '${name}')"`);
  project.git("add", "-A");
  project.git("commit", "-qm", "latin");
  const repo = await project.open();
  shell(`echo new > "$(printf '${name}')"; echo x > "$(printf '${name}2')"`);
  const before = await changesSince(repo, await readStartPoint(repo));
  expect(before.changes).toHaveLength(2);
  expect((await restoreAll(repo)).changes).toEqual([]);
});

test("below a project folder, paths outside it are put back too", async () => {
  await using project = await createGitProject({ ...files, "app/x": "" });
  const repo = await project.open({ directory: join(project.root, "app") });
  project.write("a.txt", "evil");
  project.write("lib/new", "");
  expect((await restoreAll(repo)).changes).toEqual([]);
  expect(project.git("status", "--porcelain")).toBe("");
});

/** Every entry below a folder with its kind, mode and content. */
function snapshot(root: string): unknown[] {
  const names = readdirSync(root, { recursive: true }).map(String);
  return names
    .filter((name) => !name.startsWith(".git/") && name !== ".git")
    .sort()
    .map((name) => describe(name, join(root, name)));
}

function describe(name: string, path: string): unknown {
  const stat = lstatSync(path);
  const link = stat.isSymbolicLink() ? readlinkSync(path) : undefined;
  const content = stat.isFile() ? execFileSync("cat", ["--", path]).toString() : undefined;
  return { name, mode: stat.mode, link, content };
}

function replaceByLink(path: string): void {
  rmSync(path, { recursive: true });
  symlinkSync("/etc/passwd", path);
}

function fileToFolder(root: string, project: GitProject): void {
  rmSync(join(root, "a.txt"));
  project.write("a.txt/inside/file", "");
}

function folderToFile(root: string, project: GitProject): void {
  rmSync(join(root, "d"), { recursive: true });
  project.write("d", "file");
}

function fileToRepository(root: string, project: GitProject): void {
  rmSync(join(root, "a.txt"));
  project.git("init", "-q", "a.txt");
  project.gitIn(join(root, "a.txt"), "commit", "-q", "--allow-empty", "-m", "x");
}

function fileToPipe(root: string): void {
  rmSync(join(root, "a.txt"));
  execFileSync("mkfifo", [join(root, "a.txt")]);
}

function stageAll(_: string, project: GitProject): void {
  project.write("a.txt", "staged");
  project.write("new.txt", "staged");
  project.git("add", "-A");
}
