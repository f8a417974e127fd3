import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
import { checkoutTree } from "../../../src/git/worktree/checkout-tree.ts";
import { createGitProject } from "../../support/project/git.ts";

test("a tree is written beside the repository and is gone when disposed", async () => {
  await using project = await createGitProject({ "app/x": "then" });
  const repo = await project.open({ directory: join(project.root, "app") });
  const start = await readStartPoint(repo);
  project.write("app/x", "now");
  const directory = join(project.folder, "baseline");
  {
    await using checkout = await checkoutTree(repo, { tree: start.tree, directory });
    expect(checkout.root).toBe(join(directory, "app"));
    expect(readFileSync(join(checkout.root, "x"), "utf8")).toBe("then");
    expect(readdirSync(directory).sort()).toEqual(["a.txt", "app"]);
  }
  expect(existsSync(directory)).toBe(false);
  expect(existsSync(`${directory}.index`)).toBe(false);
  expect((await changesSince(repo, start)).changes).toEqual([{ path: "x", kind: "modified" }]);
});

test("left-overs of a run that was killed do not get in", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const { tree } = await readStartPoint(repo);
  const directory = join(project.folder, "baseline");
  project.write("../baseline/stale", "");
  project.write("../baseline.index", "nonsense");
  await using _checkout = await checkoutTree(repo, { tree, directory });
  expect(readdirSync(directory)).toEqual(["a.txt"]);
});
