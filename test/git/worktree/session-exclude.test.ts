import { expect, test } from "vitest";
import {
  excludeSessionFiles,
  hideSessionDir,
  isSessionFile,
  withSessionLines,
} from "../../../src/git/worktree/session-exclude.ts";
import { readStatus } from "../../../src/git/worktree/status.ts";
import { createGitProject } from "../../support/project/git.ts";

test("our lines are added once, below the user's", () => {
  const once = withSessionLines("*.log", "");
  expect(once.startsWith("*.log\n/.ralph-session/\n")).toBe(true);
  expect(withSessionLines(once, "")).toBe(once);
});

test("a folder with pattern characters is taken literally", () => {
  expect(withSessionLines("", "a[b]*/")).toContain("/a\\[b]\\*/.ralph-session/\n");
});

test.each([
  [".ralph-session/session.json", true],
  [".ralph/metrics.json", true],
  [".ralph/prd.json", false],
  ["src/.ralph-session/x", false],
])("%j is one of ralph's files: %j", (path, expected) => {
  expect(isSessionFile(path)).toBe(expected);
});

test("the user's own status does not show our files, below a project folder too", async () => {
  await using project = await createGitProject({ "app/x": "x" });
  const repo = await project.open({ directory: `${project.root}/app` });
  await excludeSessionFiles(repo);
  await excludeSessionFiles(repo);
  project.write("app/.ralph-session/session.json", "{}");
  project.write("app/.omx/state.json", "{}");
  project.write("seen", "");
  expect(project.git("status", "--porcelain")).toBe("?? seen");
});

test("a session directory of any name is visible to no command, whatever ignore files say", async () => {
  await using project = await createGitProject({ ".gitignore": "!/b*/\n!/b*/ra*/\n" });
  const opened = await project.open();
  const repo = await hideSessionDir(opened, `${project.root}/build/ra[l]ph`);
  await excludeSessionFiles(repo);
  project.write("build/ra[l]ph/session.json", "{}");
  project.write("build/ra[l]ph.txt", "");
  const { records, ignored } = await readStatus(repo);
  expect(records.map(({ path }) => path)).toEqual(["build/ra[l]ph.txt"]);
  expect(ignored).toEqual([]);
  expect((await readStatus(opened)).records).toHaveLength(2);
  expect(project.read(".git/info/exclude")).toContain("\n/build/ra\\[l]ph/\n");
});

test("a session directory outside the work tree changes nothing", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  expect(await hideSessionDir(repo, `${project.root}-beside`)).toBe(repo);
});

test("a session directory with tracked files is refused: exit 1", async () => {
  await using project = await createGitProject({ "app/out/x.txt": "x" });
  const repo = await project.open({ directory: `${project.root}/app` });
  const hidden = hideSessionDir(repo, `${project.root}/app/out`);
  await expect(hidden).rejects.toMatchObject({
    exitCode: 1,
    message: "The session's files cannot be shown in out: git tracks out/x.txt.",
  });
});
