import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";

const createPlace = () =>
  createProject({ tasks: [task("T-001", { passes: true }), task("T-002")] });

test("without a name the document goes to the terminal", async () => {
  await using project = await createPlace();
  const { exitCode, stdout } = await project.ralph("export");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^# PRD: Example\n\n\*\*Generated:\*\* \d{4}-/);
  expect(stdout).toMatch(/\n- \[x\] T-001: Title of T-001\n- \[ \] T-002/);
});

test("a change request carries the name of its file, and runs", async () => {
  await using project = await createPlace();
  const written = await project.ralph("export", "--format", "cr", "-o", "changes/CR-MY-WORK.md");
  expect(written.exitCode).toBe(0);
  expect(written.stderr).toMatch(/the description is left out, the title replaces it: T-001/);
  expect(project.read("changes/CR-MY-WORK.md")).toContain('"id": "CR-MY-WORK-2"');
  const planned = await project.ralph("run", "--dry-run", "--cr", "changes/CR-MY-WORK.md");
  expect(planned.stdout).toMatch(/1 task would run[\s\S]*T-002/);
});

test("an existing file is kept; --update changes its list and its checklist only", async () => {
  await using project = await createPlace();
  const text = "# Mine\n\n## Task List\n\n```json\n[]\n```\n\n## Progress\n\n## More\n\nmine\n";
  project.write("tasks/prd-x.md", text);
  const kept = await project.ralph("export", "-o", "tasks/prd-x.md");
  expect(kept.exitCode).toBe(1);
  expect(kept.stderr).toMatch(/already exists[\s\S]*--update/);
  expect((await project.ralph("export", "-o", "tasks/prd-x.md", "--update")).exitCode).toBe(0);
  const after = project.read("tasks/prd-x.md");
  expect(after).toMatch(/^# Mine\n\n## Task List\n\n```json\n\[\n/);
  expect(after).toMatch(/\n## Progress\n\n- \[x\] T-001.*\n- \[ \] T-002.*\n\n## More\n\nmine\n$/);
  expect(existsSync(join(project.root, "tasks/prd-x.md.bak"))).toBe(false);
});

test("a broken configuration causes a warning, because it might name another list", async () => {
  await using project = await createPlace();
  project.write(".ralph/ralph.yml", "task_source: 7\n");
  const { exitCode, stderr } = await project.ralph("export");
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^Warning: \.ralph\/ralph\.yml is invalid.*`ralph validate` says why/);
});

test("json is the list itself, or some fields of its tasks", async () => {
  await using project = await createPlace();
  const whole = await project.ralph("export", "--format", "json");
  expect(whole.stdout).toBe(project.read(".ralph/prd.json"));
  const some = await project.ralph("export", "--format", "json", "--fields", "id, passes");
  expect(JSON.parse(some.stdout)).toEqual({
    project: "Example",
    branchName: "ralph/example",
    description: "An example project",
    tasks: [
      { id: "T-001", passes: true },
      { id: "T-002", passes: false },
    ],
  });
});

test.each<[string, string[], number, RegExp]>([
  [
    "an unknown field",
    ["--format", "json", "--fields", "titel"],
    1,
    /no field "titel"[\s\S]*"title"/,
  ],
  ["fields of Markdown", ["--fields", "id"], 1, /--fields needs --format json/],
  ["an update of nothing", ["--update"], 1, /needs a Markdown file in --output/],
  ["an update of JSON", ["--update", "--format", "json", "-o", "a.md"], 1, /Markdown file/],
  ["an update of a missing file", ["--update", "-o", "a.md"], 2, /a\.md does not exist/],
  [
    "an update without a list",
    ["--update", "-o", "README.md"],
    2,
    /^README\.md:1:1: has no heading "## Task List"/m,
  ],
  ["an empty list", ["-p", "empty.json"], 2, /empty\.json has no tasks/],
  ["no list", ["-p", "none.json"], 2, /none\.json does not exist/],
  ["a folder in the way", ["-o", "folder"], 1, /folder is a folder/],
  ["Markdown named JSON", ["-o", "a.json", "-f"], 1, /is not a name for Markdown/],
  ["JSON named Markdown", ["--format", "json", "-o", "a.md"], 1, /is not a name for JSON/],
  [
    "the list itself",
    ["--format", "json", "--fields", "id", "-o", ".ralph/prd.json", "-f"],
    1,
    /is the task list itself/,
  ],
])("%s is refused", async (_, args, code, says) => {
  await using project = await createPlace();
  project.write("README.md", "# A\n");
  project.write("folder/a", "");
  project.write("empty.json", '{"project":"x","description":"x","tasks":[]}');
  const { exitCode, stderr } = await project.ralph("export", ...args);
  expect(stderr).toMatch(says);
  expect(exitCode).toBe(code);
});
