import { expect, test } from "vitest";
import { Config } from "../../../src/schema/config/config.ts";
import { Prd } from "../../../src/schema/tasks/prd.ts";
import { branchName } from "../../../src/session/open/prepare-branch.ts";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

const config = Config.parse({
  version: "1",
  task_source: { type: "prd_json", path: ".ralph/prd.json" },
  gates: { full: [] },
  git: { base_branch: "main" },
});

test.for([
  [{ branchName: "feature/x" }, "feature/x"],
  [{ project: "My Shop: 2nd Try!" }, "ralph/my-shop-2nd-try"],
  [{ project: "---" }, "ralph/tasks"],
  [{ project: "x".repeat(90) }, `ralph/${"x".repeat(60)}`],
])("%o works on %s", ([more, name]) => {
  const list = { project: "P", description: "d", tasks: [task("T-001")], ...Object(more) };
  expect(branchName(config, Prd.parse(list))).toBe(name);
});

test.for([
  ["a.txt", "a change", "unstaged"],
  ["new.txt", "a new file", "untracked"],
  [".ralph/prd.json", "an edited list", "unstaged"],
])("a work tree with %s (%s) is refused by name, and left alone: exit 14", async (row) => {
  const [path = "", , state = ""] = row;
  await using project = await createProject();
  project.write(path, "precious\n");
  if (path === ".ralph/prd.json") project.write(path, validList);
  const { exitCode, stderr } = await project.ralph("run");
  expect(exitCode).toBe(14);
  expect(stderr).toContain(`${path} (${state})`);
  expect(stderr).toContain("git stash -u");
  expect(project.git("branch", "--show-current")).toBe("main");
  expect(project.git("status", "--porcelain")).toContain(path);
});

const validList = JSON.stringify({ project: "P", description: "d", tasks: [task("T-001")] });

test("names of files that block a run cannot steer the terminal that shows them", async () => {
  await using project = await createProject({ tasks: [task("T-001")] });
  project.write("a\u001b[31mred.txt", "new\n");
  const { exitCode, stderr } = await project.ralph("run");
  expect(exitCode).toBe(14);
  expect(stderr).toContain(String.raw`a\u{1b}[31mred.txt (untracked)`);
  expect(stderr).not.toContain("\u001b");
});
