import { expect, test } from "vitest";
import { dirtyPaths, readStartPoint } from "../../../src/git/commits/start-point.ts";
import { createGitProject } from "../../support/project/git.ts";

test("a start is the branch, its commit and its tree", async () => {
  await using project = await createGitProject();
  const start = await readStartPoint(await project.open());
  expect(start).toEqual({
    branch: "main",
    commit: project.git("rev-parse", "HEAD"),
    tree: project.git("rev-parse", "HEAD^{tree}"),
  });
});

test("a clean tree has no dirty path", async () => {
  await using project = await createGitProject();
  expect(await dirtyPaths(await project.open())).toEqual({ ours: [], others: [] });
});

test("new files of ralph are separate from everything else that is dirty", async () => {
  await using project = await createGitProject({
    ".gitignore": "*.log\n",
    ".ralph/ralph.yml": "",
    "b.txt": "",
  });
  project.write(".ralph/prd.json", "{}");
  project.write("AGENTS.md", "");
  project.write("docs/AGENTS.md", "");
  project.write(".ralph/ralph.yml", "changed");
  project.write("a.txt", "changed");
  project.write("b.txt", "staged");
  project.write("x.log", "ignored");
  project.git("add", "b.txt", "AGENTS.md");
  const { ours, others } = await dirtyPaths(await project.open());
  expect(ours.sort()).toEqual([".ralph/prd.json", "AGENTS.md"]);
  expect(others.sort((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: ".ralph/ralph.yml", state: "unstaged" },
    { path: "a.txt", state: "unstaged" },
    { path: "b.txt", state: "staged" },
    { path: "docs/AGENTS.md", state: "untracked" },
  ]);
});

test("below a project folder, paths are the project's", async () => {
  await using project = await createGitProject({ "app/x": "" });
  project.write("app/.ralph/prd.json", "{}");
  project.write(".ralph/prd.json", "{}");
  const repo = await project.open({ directory: `${project.root}/app` });
  expect(await dirtyPaths(repo)).toEqual({
    ours: [".ralph/prd.json"],
    others: [{ path: "../.ralph/prd.json", state: "untracked" }],
  });
});
