import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project } from "../../support/project/project.ts";

const one = { tasks: [task("T-001")] };
const badConfig = "version: 1\ntask_source: { type: prd_json, path: .ralph/prd.json }\n";
const badList = '{"project": "x", "description": "x", "tasks": [{"id": "1"}], "extra": 1}\n';

thorough("nothing named: everything that exists is checked", async () => {
  await using project = await createProject(one);
  await project.run();
  const { exitCode, stdout } = await project.ralph("validate");
  expect(exitCode).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    ".ralph/ralph.yml: a valid configuration
    .ralph/prd.json: a valid task list, 1 task, 1 passed
    .ralph/progress.txt: a progress log with 1 entries
    .ralph-session: a valid session without signs of tampering
    .ralph-session/run-record.json: a valid run record, completed
    "
  `);
});

test("without files: exit 1 with the first step", async () => {
  await using project = await createProject(one);
  rmSync(join(project.root, ".ralph"), { recursive: true });
  const { exitCode, stderr } = await project.ralph("validate");
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/nothing to validate.*\nWrite these files with `ralph init`/);
});

test("every problem of every file is named, warnings marked, and 1 wins over 2", async () => {
  await using project = await createProject(one);
  project.write(".ralph/ralph.yml", badConfig);
  project.write(".ralph/prd.json", badList);
  const { exitCode, stderr } = await project.ralph("validate");
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^\.ralph\/ralph\.yml:1:1: version must be the text "1"/m);
  expect(stderr).toMatch(/^\.ralph\/prd\.json:1:\d+: tasks\[0\]\.id must look like/m);
  expect(stderr).toMatch(/^\.ralph\/prd\.json:1:\d+: tasks\[0\]\.title is missing/m);
  expect(stderr).toMatch(/^\.ralph\/prd\.json:1:\d+: warning: extra is not a known key/m);
  const { stdout } = await project.ralph("validate", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    valid: false,
    exit_code: 1,
    files: [
      { kind: "config", exitCode: 1 },
      { kind: "tasks", exitCode: 2 },
    ],
  });
});

test.each([
  ["before the command", (file: string) => ["--config", file, "validate"]],
  ["after it", (file: string) => ["validate", "--config", file]],
  ["by its name", (file: string) => ["validate", file]],
])("a configuration to validate may be given %s", async (_, args) => {
  await using project = await createProject(one);
  project.write("other.yml", badConfig);
  const { exitCode, stderr } = await project.ralph(...args("other.yml"));
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^other\.yml:1:1: version/m);
});

test("a task list with any name is recognised by its content", async () => {
  await using project = await createProject(one);
  const path = join(project.folder, "plan");
  writeFileSync(path, badList);
  const { exitCode, stderr } = await project.ralph("validate", path);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${path}:1:`);
  expect((await project.ralph("validate", "--tasks", path)).exitCode).toBe(2);
});

test("a key outside of a sandbox that is off is refused, as by `ralph run`", async () => {
  await using project = await createProject({ ...one, agents: { credentials: "proxied" } });
  const { exitCode, stderr } = await project.ralph("validate");
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^\.ralph\/ralph\.yml:\d+:\d+: agents\.credentials is "proxied"/m);
});

test.each([[["--cr", "x.md"]], [["x.md"]], [["--tasks", "x.md"]]])(
  "a change request is checked at its lines: %j",
  async (args) => {
    await using project = await createProject(one);
    const list = '[\n{"description": "d", "steps": []},\n{"steps": ["s"], "passes": 1}\n]';
    project.write("x.md", `# CR\n\n## Task List\n\`\`\`json\n${list}\n\`\`\`\n`);
    const { exitCode, stderr } = await project.ralph("validate", ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^x\.md:6:22: \[0\]\.steps must not be empty/m);
    expect(stderr).toMatch(/^x\.md:7:1: \[1\]\.description is missing/m);
    expect(stderr).toMatch(/^x\.md:7:18: \[1\]\.passes must be true or false/m);
  },
);

test("files of other tools are known, and change requests by a pattern", async () => {
  const request = '## Task List\n```json\n[{"description":"d","steps":["s"]}]\n```\n';
  const config = { task_source: { type: "cr_markdown", path: "c/*.md" } };
  await using project = await createProject({ ...one, config });
  project.write("c/a.md", request);
  project.write("c/b.md", request.replace("description", "descriptoin"));
  project.write("prd-x.md", request);
  project.write("stories.json", '{"userStories":[{"title":"t","steps":["s"],"passes":true}]}');
  project.write("compound.config.json", '{"qualityChecks":["npm test"]}');
  const all = await project.ralph("validate");
  expect(all.exitCode).toBe(2);
  expect(all.stdout).toMatch(/^c\/a\.md: a valid change request, 1 task, 0 passed/m);
  expect(all.stderr).toMatch(/^c\/b\.md:3:2: \[0\]\.description is missing/m);
  const names = ["prd-x.md", "stories.json", "compound.config.json"];
  const { stdout } = await project.ralph("validate", ...names);
  expect(stdout).toMatch(/^prd-x\.md: a valid change request/m);
  expect(stdout).toMatch(/^stories\.json: a valid task list of another tool, 1 task, 1 passed/m);
  expect(stdout).toMatch(/^compound\.config\.json: a configuration of compound-product/m);
});

test("documents are checked by their kind; prose is only checked when it is named", async () => {
  await using project = await createProject(one);
  expect((await project.ralph("export", "-o", "tasks/prd-login.md")).exitCode).toBe(0);
  project.write(
    "tasks/prd-idea.md",
    "---\nauthor: me\n---\n# PRD: Login\n\n## Goals\n\nPeople log in.\n",
  );
  const all = await project.ralph("validate");
  expect(all).toMatchObject({ exitCode: 0, stderr: "" });
  expect(all.stdout).toMatch(/^tasks\/prd-login\.md: a valid change request/m);
  expect(all.stdout).not.toContain("prd-idea");
  project.write("tasks/prd-idea.md", "# PRD: Login\n\n## Goals\n\nPeople log in.\n");
  const named = await project.ralph("validate", "tasks/prd-idea.md");
  expect(named.exitCode).toBe(2);
  expect(named.stderr).toMatch(
    /^tasks\/prd-idea\.md:1:1: has no heading "## Task List"[\s\S]*`ralph autopilot --report tasks/,
  );
});

test("a name cannot look like another line, or like a command of a runner", async () => {
  await using project = await createProject({
    ...one,
    config: { task_source: { type: "cr_markdown", path: "c/*.md" } },
  });
  project.write("c/a\n::add-mask::a.md", "# A\n");
  const { exitCode, stderr } = await project.ralph("validate");
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^c\/a\\u\{a\}::add-mask::a\.md: has control characters in its name$/m);
});

test("a file that is too large or a folder is named once, with the way out", async () => {
  await using project = await createProject(one);
  project.write("big.yml", `# ${"x".repeat(2 * 1024 * 1024)}`);
  mkdirSync(join(project.root, "folder.yml"));
  const { exitCode, stderr } = await project.ralph("validate", "big.yml", "--config", "folder.yml");
  expect(stderr).toMatch(
    /^big\.yml:1:1: has 2097154 bytes; at most 65536 are read\.\nMake big\.yml smaller/m,
  );
  expect(stderr).toMatch(/^folder\.yml: is a folder, not a regular file\./m);
  expect(exitCode).toBe(1);
});

test("a file that is not there is named", async () => {
  await using project = await createProject(one);
  const { exitCode, stderr } = await project.ralph("validate", "nowhere.json");
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^nowhere\.json: does not exist/m);
});

async function createRun(): Promise<Project> {
  const project = await createProject(one);
  await project.run();
  return project;
}

const status = ".ralph-session/task-status.json";
const timeline = ".ralph-session/logs/timeline.jsonl";

test.each<[string, (project: Project) => void, RegExp]>([
  [
    "a status that was edited",
    ({ write, read }) => write(status, read(status).replace("true", "false")),
    /:1:1: the document was changed after task-status\.sha256[\s\S]*:2:3: checksum is not the checksum/,
  ],
  [
    "a token of another form",
    ({ write, read }) =>
      write(
        ".ralph-session/session.json",
        read(".ralph-session/session.json").replace('"ralph-', '"'),
      ),
    /session\.json:3:3: session_token must look like/,
  ],
  [
    "a time that runs backwards",
    ({ write, read }) => {
      const [first = "", ...rest] = read(timeline).trimEnd().split("\n");
      write(timeline, `${[...rest, first].join("\n")}\n`);
    },
    /timeline\.jsonl:\d+:2: ts is earlier than/,
  ],
  [
    "a line that is no event",
    ({ write, read }) => write(timeline, `${read(timeline)}{"event": 1}\n`),
    /timeline\.jsonl:\d+:1: ts is missing; it must be a time[\s\S]*event must be text, not 1/,
  ],
])("%s is tampering: exit 6", async (_, arrange, says) => {
  await using project = await createRun();
  expect((await project.ralph("validate", "--session", ".ralph-session")).exitCode).toBe(0);
  arrange(project);
  const { exitCode, stderr } = await project.ralph("validate", "--session", ".ralph-session");
  expect(stderr).toMatch(says);
  expect(exitCode).toBe(6);
  expect((await project.ralph("validate")).exitCode).toBe(6);
});

test("a folder that holds no session is refused", async () => {
  await using project = await createProject(one);
  mkdirSync(join(project.root, "empty"));
  const { exitCode, stderr } = await project.ralph("validate", "empty");
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^empty: holds no session\.json\nName the folder of a session/m);
});

test.each([
  ["nowhere", /^nowhere: does not exist\nName the folder of a session/m],
  ["a.txt", /^a\.txt: is a file\nName the folder of a session/m],
])("--session %s gets a clear message", async (folder, says) => {
  await using project = await createProject(one);
  const { exitCode, stderr } = await project.ralph("validate", "--session", folder);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(says);
});

test("a key that does nothing by itself is warned of with its place", async () => {
  await using project = await createProject({
    ...one,
    config: { ui: { browser_use: { enabled: true } } },
  });
  const place = String.raw`\.ralph/ralph\.yml:\d+:\d+: `;
  const says = new RegExp(
    `${place}(?:warning: )?ui\\.browser_use\\.enabled starts nothing by itself`,
  );
  expect((await project.ralph("validate")).stdout).toMatch(says);
  expect((await project.run()).state.warnings).toContainEqual(expect.stringMatching(says));
});

test("a duplicate key hides no other mistake", async () => {
  await using project = await createProject(one);
  const list = badList.replace('"extra": 1', '"tasks": [{"id": "T-001"}]');
  project.write(".ralph/prd.json", list.replaceAll(", ", ",\n"));
  project.write(".ralph/ralph.yml", `${badConfig}gates: {}\nversion: "1"\nversion: 2\n`);
  const { stderr } = await project.ralph("validate");
  expect(stderr).toMatch(/^\.ralph\/ralph\.yml:4:1: the key "version" is repeated here/m);
  expect(stderr).toMatch(/^\.ralph\/ralph\.yml:5:1: version must be the text "1"/m);
  expect(stderr).toMatch(/^\.ralph\/ralph\.yml:\d:1: git is missing/m);
  expect(stderr).toMatch(/^\.ralph\/prd\.json:4:1: the key "tasks" is repeated here/m);
  expect(stderr).toMatch(/^\.ralph\/prd\.json:4:\d+: tasks\[0\]\.title is missing/m);
});

test("session files are checked together, whichever is named", async () => {
  await using project = await createRun();
  for (const name of [status, ".ralph-session/session.json", timeline]) {
    const { exitCode, stdout } = await project.ralph("validate", name);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\.ralph-session: a valid session/);
  }
  renameSync(join(project.root, ".ralph-session"), join(project.root, "moved"));
  expect((await project.ralph("validate", "moved")).exitCode).toBe(0);
});
