import { expect, test } from "vitest";
import {
  excludeSessionFiles,
  isSessionFile,
  withSessionLines,
} from "../../src/git/session-exclude.ts";
import { createGitProject } from "../support/git.ts";

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
])("%j is a file of ours: %j", (path, expected) => {
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
