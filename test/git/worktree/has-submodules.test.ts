import { expect, test } from "vitest";
import { hasSubmodules } from "../../../src/git/trees/list-paths.ts";
import { createGitProject } from "../../support/project/git.ts";

test("only submodules of the commit count, not those that were added after it", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const start = project.git("rev-parse", "HEAD");
  project.git("update-index", "--add", "--cacheinfo", `160000,${start},lib`);
  project.git("commit", "-qm", "a submodule");
  expect(await hasSubmodules(repo, start)).toBe(false);
  expect(await hasSubmodules(repo, project.git("rev-parse", "HEAD"))).toBe(true);
});
