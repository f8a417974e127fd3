import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checks } from "../../../src/scan/checks.ts";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

const one = { tasks: [task("T-001")] };
const sound = { ...one, agent: "claim" };

test("in a valid project every check is shown and nothing changes", async () => {
  await using project = await createProject(sound);
  const { exitCode, stdout, stderr } = await project.ralph("scan");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  for (const { name } of checks) expect(stdout).toMatch(new RegExp(`^[✓!·] ${name}: `, "m"));
  expect(stdout).toMatch(/^… agent-call: .* a few cents$/m);
  expect(stdout).toMatch(/^· check: true started$/m);
  expect(stdout).toMatch(/^· `.*\/agent` started$/m);
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^(Ready|All requirements)/);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("--json is one object: status, errors, warnings, and each check by name", async () => {
  await using project = await createProject(sound);
  project.write("new.txt", "x");
  const { exitCode, stdout } = await project.ralph("scan", "--json", "--check", "git,work-tree");
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    status: "warning",
    exit_code: 0,
    errors: [],
    warnings: [expect.stringMatching(/^work-tree: not clean.*\n {2}new\.txt$/)],
    checks: {
      git: expect.objectContaining({ status: "pass", version: expect.any(String) }),
      "work-tree": expect.objectContaining({ status: "warning", remedy: expect.any(String) }),
    },
  });
});

test("--strict makes warnings exit 3", async () => {
  await using project = await createProject(sound);
  project.write("new.txt", "x");
  expect((await project.ralph("scan", "--check", "work-tree")).exitCode).toBe(0);
  expect((await project.ralph("scan", "--check", "work-tree", "--strict")).exitCode).toBe(3);
  expect((await project.ralph("scan", "--check", "git", "--strict")).exitCode).toBe(0);
});

test("--fix prints commands and runs none", async () => {
  await using project = await createProject(sound);
  project.write("new.txt", "x");
  const plain = await project.ralph("scan", "--check", "work-tree");
  expect(plain.stdout).not.toContain("Fix:");
  const { stdout } = await project.ralph("scan", "--check", "work-tree", "--fix");
  expect(stdout).toContain("    Fix: git stash -u\n");
  expect(project.git("status", "--porcelain")).toBe("?? new.txt");
  project.write("AGENTS.md", "new");
  const ours = await project.ralph("scan", "--check", "work-tree", "--fix");
  expect(ours.stdout).toContain("    Fix: git add --all && git commit");
  rmSync(join(project.root, "AGENTS.md"));
  const json = await project.ralph("scan", "--check", "work-tree", "--fix", "--json");
  expect(JSON.parse(json.stdout).checks["work-tree"].fix).toEqual(["git stash -u"]);
});

test("an invalid configuration is exit 2, with every place, and the rest is skipped", async () => {
  await using project = await createProject(sound);
  project.write(".ralph/ralph.yml", "version: 1\ngates: { full: 1 }\n");
  const { exitCode, stdout } = await project.ralph("scan", "--json");
  expect(exitCode).toBe(2);
  const { checks: found } = JSON.parse(stdout);
  expect(found.configuration).toMatchObject({
    status: "error",
    message: expect.stringMatching(/\.ralph\/ralph\.yml:1:1: version must be the text "1"/),
  });
  expect(found.configuration.problems[0]).toMatchObject({ file: ".ralph/ralph.yml", line: 1 });
  expect(found.gates).toMatchObject({ status: "skipped", message: "needs a valid configuration" });
  expect(found.git.status).toBe("pass");
});

test("an invalid task list is exit 2, an empty one a warning", async () => {
  await using project = await createProject(sound);
  project.write(".ralph/prd.json", '{"project": "x"}');
  const { exitCode, stdout } = await project.ralph("scan", "--check", "tasks");
  expect(exitCode).toBe(2);
  expect(stdout).toMatch(/\.ralph\/prd\.json:1:\d+: /);
  await using empty = await createProject({ tasks: [] });
  expect((await empty.ralph("scan", "--check", "tasks", "--strict")).exitCode).toBe(3);
});

test("an unmet requirement of a chosen check is shown and is not green", async () => {
  await using project = await createProject(sound);
  project.write(".ralph/ralph.yml", "version: 1\n");
  const { exitCode, stdout } = await project.ralph("scan", "--check", "credentials,tasks");
  expect(exitCode).toBe(2);
  expect(stdout).toMatch(
    /^✗ configuration: [\s\S]*\n· tasks: skipped, needs a valid configuration\n· credentials: skipped/,
  );
  rmSync(join(project.root, ".git"), { recursive: true });
  const without = await project.ralph("scan", "--check", "work-tree");
  expect(without.exitCode).toBe(1);
  expect(without.stdout).toMatch(/^✗ repository: .* is not in a git repository/);
});

test("a missing agent program is exit 1", async () => {
  await using project = await createProject({ ...one, config: { agents: {} } });
  const quick = ["--check", "no-gates"];
  const ended = await project.ralph("scan", ...quick);
  expect(ended.exitCode).toBe(1);
  expect(ended.stdout).toContain("✗ agents: Missing or not executable: `claude`");
  expect(ended.stdout).toContain("· agent-call: skipped, needs the agent programs");
});

test("without a project the scan lists the missing parts", async () => {
  await using project = await createProject(sound);
  rmSync(join(project.root, ".ralph"), { recursive: true });
  const { exitCode, stdout } = await project.ralph("scan");
  expect(exitCode).toBe(2);
  expect(stdout).toContain("✗ configuration: .ralph/ralph.yml does not exist.");
  expect(stdout).toContain("A run cannot start yet");
});

test("an unknown check is exit 1", async () => {
  await using project = await createProject(sound);
  const { exitCode, stderr } = await project.ralph("scan", "--check", "sandboks");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Did you mean `sandbox`?");
});

test("--quiet shows only warnings and errors", async () => {
  await using project = await createProject(sound);
  const { stdout } = await project.ralph("scan", "--quiet", "--check", "git,gates");
  expect(stdout).toMatchInlineSnapshot(`
    "No problem in these checks: 2 passed, 0 warnings, 0 errors, 0 skipped.
    "
  `);
});
