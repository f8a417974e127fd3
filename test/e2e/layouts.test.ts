import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { branch, createProject, type Project } from "../support/project/project.ts";

const oneTask = { tasks: [task("T-001")] };

/** Every hook a run could meet, and each forbids whatever it is asked about. */
function forbidEverything(project: Project): void {
  const first = ["pre-commit", "commit-msg", "prepare-commit-msg", "post-checkout"];
  for (const name of [...first, "reference-transaction", "post-index-change"]) {
    project.write(`.git/hooks/${name}`, "#!/bin/sh\nexit 1\n");
    chmodSync(join(project.root, ".git/hooks", name), 0o755);
  }
}

test("on the base branch a run switches to the branch of the list, and leaves the base alone", async () => {
  await using project = await createProject(oneTask);
  const before = project.git("rev-parse", "main");
  const { exitCode, state } = await project.run();
  expect(exitCode).toBe(0);
  expect(state.session.branch).toBe(branch);
  expect(project.git("branch", "--show-current")).toBe(branch);
  expect(project.git("rev-parse", "main", `${branch}~1`)).toBe(`${before}\n${before}`);
});

test("without a branch in the list it is named after the project", async () => {
  await using project = await createProject({ ...oneTask, prd: { branchName: undefined } });
  const { state } = await project.run();
  expect(state.session.branch).toBe("ralph/example");
});

test("on another branch a run stays there", async () => {
  await using project = await createProject(oneTask);
  project.git("switch", "-qc", "feature");
  const { exitCode } = await project.run();
  expect(exitCode).toBe(0);
  expect(project.git("branch", "--show-current")).toBe("feature");
  expect(project.commits()).toHaveLength(1);
});

test("a branch that exists and holds the base is continued", async () => {
  await using project = await createProject(oneTask);
  project.git("switch", "-qc", branch);
  project.git("commit", "-q", "--allow-empty", "-m", "earlier");
  project.git("switch", "-q", "main");
  const { exitCode } = await project.run();
  expect(exitCode).toBe(0);
  expect(project.commits()).toEqual(["earlier", "feat(T-001): Title of T-001"]);
});

test("a branch with a history of its own is never moved: exit 14", async () => {
  await using project = await createProject(oneTask);
  project.git("switch", "-qc", branch);
  project.git("commit", "-q", "--allow-empty", "-m", "earlier");
  project.git("switch", "-q", "main");
  project.git("commit", "-q", "--allow-empty", "-m", "later");
  const before = project.git("rev-parse", branch);
  const { exitCode, stderr } = await project.ralph("run");
  expect(exitCode).toBe(14);
  expect(stderr).toContain(`git switch ${branch}`);
  expect(project.git("rev-parse", branch)).toBe(before);
  expect(project.git("branch", "--show-current")).toBe("main");
});

test("in a linked work tree the main one stays as it is", async () => {
  await using project = await createProject(oneTask);
  const linked = join(project.folder, "linked");
  project.git("worktree", "add", "-q", linked, "-b", "feature");
  const { exitCode } = await project.runIn(linked);
  expect(exitCode).toBe(0);
  expect(project.gitIn(linked, "log", "-1", "--format=%s")).toContain("feat(T-001)");
  expect(project.gitIn(linked, "status", "--porcelain")).toBe("");
  expect(project.git("branch", "--show-current")).toBe("main");
  expect(existsSync(join(project.root, "src"))).toBe(false);
});

test("in a shallow clone", async () => {
  await using project = await createProject(oneTask);
  const clone = join(project.folder, "clone");
  project.gitIn(project.folder, "clone", "-q", "--depth=1", `file://${project.root}`, clone);
  const { exitCode } = await project.runIn(clone);
  expect(exitCode).toBe(0);
  expect(project.gitIn(clone, "rev-list", "--count", "HEAD")).toBe("2");
  expect(project.gitIn(clone, "status", "--porcelain")).toBe("");
});

test("a project below the root of its repository keeps to its folder", async () => {
  const agent = { implementation: "echo x >../outside.txt; honest" };
  await using project = await createProject({ ...oneTask, agent });
  project.git("config", "core.quotePath", "false");
  project.write("packages/app/readme.txt", "x");
  project.git("mv", ".ralph", "packages/app/.ralph");
  project.git("add", "-A");
  project.git("commit", "-qm", "move");
  const { exitCode } = await project.runIn(join(project.root, "packages/app"));
  expect(exitCode).toBe(0);
  expect(project.git("show", "--name-only", "--format=", "HEAD").split("\n")).toEqual([
    "packages/app/.ralph/prd.json",
    "packages/app/.ralph/progress.txt",
    "packages/app/src/T-001.txt",
    "packages/app/tests/T-001.test.txt",
    "packages/outside.txt",
  ]);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("hooks that forbid everything forbid nothing", async () => {
  await using project = await createProject(oneTask);
  forbidEverything(project);
  const { exitCode } = await project.run();
  expect(exitCode).toBe(0);
  expect(() => project.git("commit", "--allow-empty", "-m", "trap")).toThrow();
});

test("with autocrlf the work tree has CRLF, the commits have LF, and both agree", async () => {
  await using project = await createProject(oneTask);
  project.git("config", "core.autocrlf", "true");
  project.git("rm", "-rq", "--cached", ".");
  project.git("reset", "-q", "--hard");
  expect(project.read(".ralph/prd.json")).toContain("\r\n");
  const { exitCode } = await project.run();
  expect(exitCode).toBe(0);
  expect(project.git("status", "--porcelain")).toBe("");
  const committed = project.git("show", "HEAD:.ralph/prd.json");
  expect(committed).not.toContain("\r");
  expect(committed).toContain('"passes": true');
  expect(project.read(".ralph/prd.json").replaceAll("\r\n", "")).not.toContain("\n");
});

test("git-lfs pointers stay pointers without git-lfs, and an agent cannot change them", async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 9\n`;
  const files = { ".gitattributes": "*.bin filter=lfs -text\n", "data.bin": pointer };
  const agent = { implementation: "echo x >data.bin; honest" };
  await using project = await createProject({ ...oneTask, files, agent });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("agent_end")[0]?.refused).toEqual(["data.bin"]);
  expect(project.read("data.bin")).toBe(pointer);
  expect(project.git("status", "--porcelain")).toBe("");
});

test.for([
  ["locally they are committed first", {}, 0, ["chore: ralph", "feat(T-001): Title of T-001"]],
  ["in CI they are refused by name", { CI: "true" }, 14, []],
] as const)("new .ralph files: %s", async ([, env, exitCode, commits]) => {
  await using project = await createProject({ ...oneTask, env });
  project.git("rm", "-rq", "--cached", ".ralph");
  project.git("commit", "-qm", "without");
  const ended = await project.ralph("run");
  expect(ended.exitCode).toBe(exitCode);
  expect(ended.stderr.includes(".ralph/prd.json (untracked)")).toBe(exitCode === 14);
  expect(project.commits()).toEqual(commits);
});
