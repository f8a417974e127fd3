import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project } from "../../support/project/project.ts";

const list = JSON.stringify([
  { id: "CR-A-1", category: "documentation", description: "Write it", steps: ["It is written"] },
  { id: "CR-B-1", category: "setup", description: "Set it up", steps: ["It is there"] },
]);
const request = `# CR: Two things\n\n## Summary\n\nThey are needed.\n\n## Task List\n\n\`\`\`json\n${list}\n\`\`\`\n`;
const file = "changes/CR-TWO.md";

const createPlace = () => createProject({ tasks: [task("T-001")], files: { [file]: request } });
const before = (project: Project) => project.read(".ralph/prd.json");

test("a change request becomes a list, first in another file, and the output shows its tasks", async () => {
  await using project = await createPlace();
  const { exitCode, stdout } = await project.ralph(
    "import",
    "--cr",
    file,
    "--output",
    "new/prd.json",
  );
  expect(exitCode).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "new/prd.json: 2 tasks from changes/CR-TWO.md.
      T-001  priority 1  Write it  (CR-A-1)
      T-002  priority 2  Set it up  (CR-B-1)
    Branch: ralph/two
    Next: ralph validate --tasks new/prd.json, then commit it.
    "
  `);
  expect(JSON.parse(project.read("new/prd.json"))).toMatchObject({
    project: "Two things",
    branchName: "ralph/two",
    metadata: { source: "imported-cr", sourceFile: file },
    tasks: [{ notes: "Imported from CR-A-1. Category: documentation." }, { id: "T-002" }],
  });
  expect((await project.ralph("validate", "new/prd.json")).exitCode).toBe(0);
});

test("without a configuration the next step is to make one", async () => {
  await using project = await createPlace();
  rmSync(join(project.root, ".ralph"), { recursive: true });
  const { stdout } = await project.ralph("import", "--cr", file);
  expect(stdout).toMatch(/^\.ralph\/prd\.json: 2 tasks[\s\S]*\nNext: ralph init, which writes/);
});

test("an existing list is kept; --force replaces it and leaves the old one", async () => {
  await using project = await createPlace();
  const old = before(project);
  const kept = await project.ralph("import", "--cr", file);
  expect(kept.exitCode).toBe(1);
  expect(kept.stderr).toMatch(/\.ralph\/prd\.json already exists[\s\S]*--force/);
  expect(before(project)).toBe(old);
  expect((await project.ralph("import", "--cr", file, "-f")).exitCode).toBe(0);
  expect(project.read(".ralph/prd.json.bak")).toBe(old);
  const again = await project.ralph("import", "--cr", file);
  expect(again.exitCode).toBe(0);
  expect(again.stdout).toMatch(/unchanged/);
});

test("--dry-run writes nothing, --json prints the whole list", async () => {
  await using project = await createPlace();
  const old = before(project);
  const { stdout } = await project.ralph("import", "--cr", file, "--dry-run", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    source: file,
    output: ".ralph/prd.json",
    written: false,
    prd: { project: "Two things" },
  });
  expect(before(project)).toBe(old);
});

test("--group-by-category orders by category", async () => {
  await using project = await createPlace();
  await project.ralph("import", "--cr", file, "--group-by-category", "-o", "x.json");
  const { tasks } = JSON.parse(project.read("x.json"));
  expect(tasks.map(({ priority }: { priority: number }) => priority)).toEqual([96, 1]);
});

test("--preserve-ids keeps the ids, and says that ralph does not run such a list", async () => {
  await using project = await createPlace();
  const { stdout } = await project.ralph("import", "--cr", file, "--preserve-ids", "-o", "x.json");
  expect(stdout).toMatch(/does not accept a list with original ids/);
  const { tasks } = JSON.parse(project.read("x.json"));
  expect(tasks.map(({ id }: { id: string }) => id)).toEqual(["CR-A-1", "CR-B-1"]);
});

test("another document is imported by --prd, and says so in its metadata", async () => {
  await using project = await createPlace();
  project.write("tasks/prd-two.md", request.replace("CR:", "PRD:"));
  await project.ralph("import", "--prd", "tasks/prd-two.md", "-o", "x.json");
  expect(JSON.parse(project.read("x.json"))).toMatchObject({
    project: "Two things",
    branchName: "ralph/two",
    metadata: { source: "imported-prd", sourceFile: "tasks/prd-two.md" },
  });
});

test.each<[string, string[], number, RegExp]>([
  ["nothing named", [], 1, /No file to import\./],
  ["two named", ["--cr", "a.md", "--prd", "b.md"], 1, /Only one file/],
  ["no Markdown", ["--cr", "a.json"], 1, /a\.json is not a Markdown[\s\S]*ralph migrate a\.json/],
  ["no file", ["--cr", "a.md"], 2, /a\.md does not exist/],
  [
    "no list",
    ["--cr", "README.md"],
    2,
    /README\.md:1:1: has no heading "## Task List"[\s\S]*`ralph autopilot --report/,
  ],
  ["an empty list", ["--cr", "empty.md"], 2, /The task list of empty\.md is empty/],
  ["a list named Markdown", ["--cr", file, "-o", file], 1, /is not a name for JSON[\s\S]*\.json/],
  [
    "a name that steers",
    ["--cr", "a\n::error::.md"],
    2,
    /^Error: a\\u\{a\}::error::\.md has control/,
  ],
  ["an output that steers", ["--cr", file, "-o", "a\u001b[2J"], 1, /a\\u\{1b\}\[2J has control/],
])("%s: nothing is written", async (_, args, code, says) => {
  await using project = await createPlace();
  project.write("README.md", "# A\n");
  project.write("empty.md", request.replace(list, "[]"));
  const old = before(project);
  const { exitCode, stderr } = await project.ralph("import", ...args, "--force");
  expect(stderr).toMatch(says);
  expect(exitCode).toBe(code);
  expect(before(project)).toBe(old);
});
