import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project } from "../../support/project/project.ts";

const compound = {
  tool: "amp",
  reportsDir: "./my-reports",
  outputDir: "./scripts/compound",
  qualityChecks: ["npm run typecheck", "npm test", "pnpm test", "cargo clippy --all"],
  maxIterations: 25,
  branchPrefix: "compound/",
};
const theirs = {
  project: "Theirs",
  tasks: [{ id: "T-001", title: "One", acceptanceCriteria: ["a"], priority: 1, passes: true }],
};
const stories = {
  project: "Stories",
  branchName: "ralph/Big_Thing",
  description: "What people want",
  userStories: [
    { id: "US-001", title: "One", acceptanceCriteria: ["a"], priority: 1, passes: true },
    { id: "US-002", title: "Two", acceptanceCriteria: ["b"], priority: 2, passes: false },
  ],
};

async function createPlace(files: Record<string, object>): Promise<Project> {
  const texts = Object.entries(files).map(([path, value]) => [path, JSON.stringify(value)]);
  const given = { "package.json": "{}", ...Object.fromEntries(texts) };
  const project = await createProject({ tasks: [task("T-001")], files: given });
  rmSync(join(project.root, ".ralph"), { recursive: true });
  return project;
}

test("compound-product: its checks become gates, its list ours (specs 004 9.2)", async () => {
  await using project = await createPlace({
    "compound.config.json": compound,
    "scripts/compound/prd.json": theirs,
  });
  const { exitCode, stdout, stderr } = await project.ralph("migrate");
  expect(exitCode).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "From compound.config.json:
      .ralph/ralph.yml
      .ralph/prd.json
    1 task:
      T-001  passed, priority 1  One
    Next: read ralph.yml, ralph validate, then commit.
    "
  `);
  expect(stderr).toMatch(/^Warning: compound\.config\.json:1:2: tool is "amp"/);
  expect(parse(project.read(".ralph/ralph.yml"))).toMatchObject({
    task_source: { type: "prd_json", path: ".ralph/prd.json" },
    gates: {
      full: [
        { name: "typecheck", cmd: "npm run typecheck" },
        { name: "test", cmd: "npm test" },
        { name: "test-2", cmd: "pnpm test" },
        { name: "cargo-clippy", cmd: "cargo clippy --all" },
      ],
    },
    autopilot: { enabled: true, reports_dir: "./my-reports", branch_prefix: "compound/" },
    limits: { max_iterations: 25 },
  });
  expect(JSON.parse(project.read(".ralph/prd.json")).tasks[0]).toMatchObject({
    id: "T-001",
    description: "One",
    passes: true,
  });
  expect((await project.ralph("validate")).exitCode).toBe(0);
});

test("a list that is ours already is copied as it is", async () => {
  const ours = { project: "x", description: "x", tasks: [task("T-007")], own: 1 };
  await using project = await createPlace({
    "compound.config.json": {},
    "scripts/compound/prd.json": ours,
  });
  await project.ralph("migrate", "--from", "compound");
  expect(project.read(".ralph/prd.json")).toBe(JSON.stringify(ours));
});

test("user stories keep their ids in the metadata, and the branch is written small", async () => {
  await using project = await createPlace({ "scripts/ralph/prd.json": stories });
  const dry = await project.ralph("migrate", "--dry-run", "--json");
  expect(JSON.parse(dry.stdout)).toMatchObject({ written: false, tasks: 2 });
  expect(existsSync(join(project.root, ".ralph"))).toBe(false);
  expect((await project.ralph("migrate")).exitCode).toBe(0);
  expect(JSON.parse(project.read(".ralph/prd.json"))).toMatchObject({
    branchName: "ralph/big-thing",
    metadata: { idMap: { "T-001": "US-001", "T-002": "US-002" } },
    tasks: [
      { id: "T-001", passes: true },
      { id: "T-002", passes: false },
    ],
  });
  const again = await project.ralph("migrate", "scripts/ralph");
  expect(again.exitCode).toBe(0);
  project.write(".ralph/prd.json", "{}");
  expect((await project.ralph("migrate", "scripts/ralph/prd.json")).exitCode).toBe(1);
  expect((await project.ralph("migrate", "scripts/ralph/prd.json", "-f")).exitCode).toBe(0);
  expect(project.read(".ralph/prd.json.bak")).toBe("{}");
});

test("when one of two files already exists, none is written", async () => {
  await using project = await createPlace({
    "compound.config.json": compound,
    "scripts/compound/prd.json": theirs,
  });
  project.write(".ralph/prd.json", "{}");
  const { exitCode, stderr } = await project.ralph("migrate");
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/\.ralph\/prd\.json already exists/);
  expect(existsSync(join(project.root, ".ralph/ralph.yml"))).toBe(false);
});

test.each<[string, string[], number, RegExp[]]>([
  [
    "nothing of a tool",
    ["--from", "omx"],
    1,
    [/^Error: \. holds no tasks of omx; searched: \.omx/],
  ],
  [
    "nothing there",
    [],
    1,
    [/\. holds nothing to migrate: no compound\.config\.json, no prd\.json/],
  ],
  ["no file", ["none.json"], 2, [/none\.json does not exist/]],
  [
    "a broken configuration",
    ["bad/compound.config.json"],
    1,
    [/:1:2: qualityChecks must be a list of commands/, /:1:\d+: reportsDir must be a path inside/],
  ],
  [
    "a broken list",
    ["bad/list.json"],
    2,
    [
      /:1:\d+: items\[0\]\.title is missing|description is missing/,
      /items\[1\]\.acceptanceCriteria is missing/,
    ],
  ],
  ["an empty list", ["bad/empty.json"], 2, [/empty\.json has no tasks/]],
])("%s: nothing is written", async (_, args, code, says) => {
  await using project = await createPlace({
    "bad/compound.config.json": { qualityChecks: "npm test", reportsDir: "/etc" },
    "bad/list.json": { items: [{ steps: ["a"] }, { title: "t" }] },
    "bad/empty.json": { items: [] },
  });
  const { exitCode, stderr } = await project.ralph("migrate", ...args);
  for (const each of says) expect(stderr).toMatch(each);
  expect(exitCode).toBe(code);
  expect(existsSync(join(project.root, ".ralph"))).toBe(false);
});
