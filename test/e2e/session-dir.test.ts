import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampled } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { runCommand } from "../support/project/command.ts";
import { createProject, type Project, type ProjectOptions } from "../support/project/project.ts";

const dir = "build/ralph";
const at = ["--session-dir", dir];
/** Others' files lie in the folder above, so git looks into it. */
const files = { "build/tool.txt": "tracked\n" };
const one = { tasks: [task("T-001")], files };

function requireUntouched({ git, root }: Project): void {
  expect(git("status", "--porcelain")).toBe("");
  expect(git("log", "--all", "--format=", "--name-only")).not.toContain("session.json");
  expect(existsSync(join(root, ".ralph-session"))).toBe(false);
}

test("a session is shown below a folder git tracks; its files judge no work", async () => {
  await using project = await createProject(one);
  const { exitCode, facts, stdout } = await project.run(...at);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`Session  ${dir} (`);
  expect(facts("iteration_failed")).toEqual([]);
  expect(facts("warning")).toEqual([]);
  const told = facts("agent_end").flatMap((call) => [call.refused, call.trespassed, call.ignored]);
  expect(told.flat()).toEqual([]);
  expect(readdirSync(join(project.root, dir))).toContain("task-status.json");
  requireUntouched(project);
  expect((await project.ralph("status", ...at)).stdout).toContain("T-001");
  expect((await project.ralph("audit", ...at)).exitCode).toBe(0);
  const { stdout: valid } = await project.ralph("validate", ...at);
  expect(valid).toContain(`${dir}: a valid session without signs of tampering`);
});

test.each(
  sampled(
    [
      ["an ignored folder", "build/\n"],
      ["files that an ignore file wants to see", "*\n!*/\n!*.json\n!*.txt\n!*.jsonl\n!.ralph/**\n"],
    ],
    1,
  ),
)("it may lie among %s", async (_, ignore) => {
  await using project = await createProject({
    tasks: [task("T-001")],
    files: { ".gitignore": ignore },
  });
  const { exitCode, facts } = await project.run(...at);
  expect(exitCode).toBe(0);
  expect(facts("iteration_failed")).toEqual([]);
  expect(facts("agent_end").flatMap(({ ignored, refused }) => [...ignored, ...refused])).toEqual(
    [],
  );
  await project.system.clock.sleep(1000);
  expect((await project.run(...at)).exitCode).toBe(0);
});

test("clean takes away what is shown there, half-written files too, and nothing else", async () => {
  await using project = await createProject(one);
  await project.run(...at);
  const half = `${dir}/logs/.ralph-tmp-99999999-1-0123456789abcdef`;
  project.write(half, "half");
  project.write(`${dir}/mine.txt`, "mine");
  const { stdout } = await project.ralph("clean", "--keep", "0", ...at);
  expect(stdout).toContain(`${dir}/session.json`);
  expect(readdirSync(join(project.root, dir))).toEqual(["mine.txt"]);
  expect(project.read("build/tool.txt")).toBe("tracked\n");
});

test.each(
  sampled(
    [
      ["the same folder", at, at],
      ["another one", [], at],
    ],
    1,
  ),
)("a killed session continues, shown in %s", async (_, first, second) => {
  const kill =
    'if [ "$task" = T-002 ] && mkdir ../once 2>/dev/null; then kill -9 $PPID; fi; honest';
  const options: ProjectOptions = { tasks: [task("T-001"), task("T-002")], files };
  await using project = await createProject({ ...options, agent: { implementation: kill } });
  const place = { cwd: project.root, env: project.system.env };
  expect((await runCommand(place, ["run", ...first])).exitCode).toBe(-1);
  const { exitCode, facts, stderr } = await project.run("--resume", ...second);
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  expect(facts("iteration_failed")).toEqual([]);
  expect(project.commits()).toHaveLength(2);
  expect(project.git("status", "--porcelain")).toBe("");
  expect(existsSync(join(project.root, dir, "session.json"))).toBe(true);
});

test("what an agent puts in its place or above it is taken away", async () => {
  const agent = {
    implementation: `rm -r build; if [ $attempt = 1 ]; then ln -s /etc build; fi; honest`,
    test_writing: `rm -r ${dir}; ln -s ../src ${dir}; honest`,
  };
  await using project = await createProject({ tasks: [task("T-001")], agent });
  const { exitCode, facts } = await project.run(...at);
  expect(exitCode).toBe(0);
  expect(facts("agent_end").map(({ refused }) => refused)).toEqual([["build"], [dir], []]);
  expect(readdirSync(join(project.root, dir))).toContain("session.json");
  requireUntouched(project);
});

test("a project below git's work tree may show its sessions beside itself", async () => {
  await using project = await createProject(one);
  mkdirSync(join(project.root, "app"));
  project.git("mv", ".ralph", "app/.ralph");
  project.git("commit", "-qm", "app");
  const app = join(project.root, "app");
  const { exitCode, facts } = await project.runIn(app, "--session-dir", "../build/ralph");
  expect(exitCode).toBe(0);
  expect(facts("iteration_failed")).toEqual([]);
  requireUntouched(project);
});

test("a name through a link above the work tree means the same folder", async () => {
  await using project = await createProject(one);
  symlinkSync(project.root, join(project.folder, "alias"));
  const { exitCode, facts } = await project.run("--session-dir", `${project.folder}/alias/${dir}`);
  expect(exitCode).toBe(0);
  expect(facts("iteration_failed")).toEqual([]);
  requireUntouched(project);
});

describe("a place that belongs to someone else is refused: exit 1", () => {
  test.each<[string, string, RegExp]>([
    ["the project", ".", /the project lies in it/],
    ["a folder above", "..", /the project lies in it/],
    ["git's", ".git", /it belongs to git/],
    ["below git's", ".git/ralph", /it belongs to git/],
    ["ours", ".ralph", /configuration and task list/],
    ["tracked files", "build", /shown in build: git tracks build\/tool\.txt/],
    ["a tracked file", "a.txt", /a\.txt is a file/],
    ["below a file", "a.txt/x", /a\.txt is a file/],
    ["below a link", "link/x", /link is a link/],
    ["foreign logs", "server", /server: it holds the logs of something else/],
    ["two lines", "a\nb", /line break/],
  ])("%s (%j)", async (_, folder, says) => {
    await using project = await createProject(one);
    project.write(".git/info/exclude", "/link\n/server/\n");
    symlinkSync("/tmp", join(project.root, "link"));
    project.write("server/logs/access.log", "GET /\n");
    const { exitCode, stderr } = await project.ralph("run", "--session-dir", folder);
    expect(stderr).toMatch(says);
    expect(stderr).toContain("--session-dir");
    expect(exitCode).toBe(1);
    expect(project.read("server/logs/access.log")).toBe("GET /\n");
    expect(project.git("symbolic-ref", "--short", "HEAD")).toBe("main");
  });

  test("files that only the session's branch tracks", async () => {
    await using project = await createProject(one);
    project.git("switch", "-qc", "ralph/example");
    project.write(`${dir}/logs/old.txt`, "old\n");
    project.git("add", "-A");
    project.git("commit", "-qm", "old");
    project.git("switch", "-q", "main");
    const { exitCode, stderr } = await project.ralph("run", ...at);
    expect(stderr).toContain(`git tracks ${dir}/logs/old.txt`);
    expect(exitCode).toBe(1);
    expect(project.git("status", "--porcelain")).toBe("");
  });
});
