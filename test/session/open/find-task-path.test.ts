import { expect, test } from "vitest";
import { findTaskPath, matchingFiles } from "../../../src/session/open/find-task-path.ts";
import { createGitProject } from "../../support/project/git.ts";

const json = { type: "prd_json", path: ".ralph/prd.json" } as const;

test.each<[object, string]>([
  [{}, ".ralph/prd.json"],
  [{ tasks: "./next.json" }, "next.json"],
  [{ cr: "a/CR-1.md" }, "a/CR-1.md"],
])("%j is found without looking", async (asked, path) => {
  await using project = await createGitProject();
  expect(await findTaskPath(project.system, project.root, { source: json, asked })).toBe(path);
});

test.each<[object, RegExp]>([
  [{ tasks: "a.json", cr: "b.md" }, /Only one of --prd-json, --cr and --latest-cr/],
  [{ cr: "b.json" }, /b\.json, which is not a Markdown file/],
  [{ latestCr: true }, /No file matches changes\/CR-\*\.md/],
])("%j is refused", async (asked, says) => {
  await using project = await createGitProject();
  const found = findTaskPath(project.system, project.root, { source: json, asked });
  await expect(found).rejects.toThrow(says);
});

test("patterns find files, in folders too, but not in those of packages; numbers count as numbers", async () => {
  const names = ["c/CR-10.md", "c/CR-2.md", "c/d/CR-1.md", "c/node_modules/CR-3.md", "CR-4.md"];
  await using project = await createGitProject(
    Object.fromEntries(names.map((name) => [name, "x"])),
  );
  const files = project.system.files(project.root);
  expect(await matchingFiles(files, "c/CR-*.md")).toEqual(["c/CR-2.md", "c/CR-10.md"]);
  expect(await matchingFiles(files, "./c/**/CR-*.md")).toEqual([
    "c/CR-2.md",
    "c/CR-10.md",
    "c/d/CR-1.md",
  ]);
  expect(await matchingFiles(files, "*.md")).toEqual(["CR-4.md"]);
  expect(await matchingFiles(files, "none/*.md")).toEqual([]);
});
