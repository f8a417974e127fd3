import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project } from "../../support/project/project.ts";

const published = (name: string) =>
  readFileSync(new URL(`../../fixtures/specification/${name}`, import.meta.url), "utf8");

const record = published("run-record.json");
const analysis = published("analysis.json");
const document = published("prd-add-user-auth.md");
const session = published("session.json");
const timeline = published("timeline.jsonl");

const createPlace = (changes: object = {}) => createProject({ tasks: [task("T-001")], ...changes });

/** Writes a file below the project's folder, beside the repository. */
function put({ folder }: Project, path: string, content: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

test("every example of the specification is valid, and its content decides its kind", async () => {
  await using project = await createPlace();
  const names = [
    put(project, "a/config.yaml", published("ralph.yml")),
    put(project, "a/list", published("prd.json")),
    put(project, "a/one", analysis),
    put(project, "a/two", record),
    put(project, "a/three.md", document),
    put(project, "a/four", session),
    put(project, "a/five", timeline),
  ];
  const { exitCode, stdout } = await project.ralph("validate", ...names, "--json");
  expect(exitCode).toBe(0);
  const { files } = JSON.parse(stdout);
  expect(files.map(({ kind }: { kind: string }) => kind)).toEqual([
    "config",
    "tasks",
    "analysis",
    "run-record",
    "prd",
    "session",
    "session",
  ]);
  expect(files.map(({ note }: { note: string }) => note)).toEqual([
    "a valid configuration",
    "a valid task list, 3 tasks, 0 passed",
    "a valid analysis: Implement user authentication",
    "a valid run record, completed",
    "a valid requirements document",
    "a valid file of a session",
    "a valid file of a session",
  ]);
});

test("every example of the other formats is valid at its place", async () => {
  await using project = await createPlace();
  const places = {
    ".omc/ralph-state.json": "omc/ralph-state.json",
    ".omc/ultrawork-state.json": "omc/ultrawork-state.json",
    ".omc/ralph-verification.json": "omc/ralph-verification.json",
    ".ralph/failures.json": "agent-teams/failures.json",
    ".ralph/metrics.json": "agent-teams/metrics.json",
    "specs/auth/header.code-task.md": "agent-teams/header.code-task.md",
    "AGENTS.md": "AGENTS.md",
    ".ralph/progress.txt": "progress.txt",
    "minimal.yml": "minimal.yml",
  };
  for (const [path, name] of Object.entries(places)) project.write(path, published(name));
  // The condition of the example's gate.
  project.write("package.json", "{}\n");
  const { exitCode, stdout } = await project.ralph("validate", ...Object.keys(places));
  expect(exitCode).toBe(0);
  // The text asks for the newest entry first; its example has the oldest first.
  const warnings = stdout.split("\n").filter((line) => line.includes("warning:"));
  expect(warnings).toEqual([
    ".ralph/progress.txt: warning: has the oldest entries first; the newest belong on top",
  ]);
});

test("nothing named: what the autopilot has left is checked too", async () => {
  await using project = await createPlace();
  project.write(".ralph/autopilot/analysis.json", analysis);
  project.write(".ralph/autopilot/runs/20260125-143052-a7b3c9.json", record);
  project.write("tasks/prd-add-user-auth.md", document);
  project.write("tasks/notes.md", "# Not ours\n");
  const { stdout } = await project.ralph("validate");
  expect(stdout).toMatchInlineSnapshot(`
    ".ralph/ralph.yml: a valid configuration
    .ralph/prd.json: a valid task list, 1 task, 0 passed
    .ralph/autopilot/analysis.json: a valid analysis: Implement user authentication
    .ralph/autopilot/runs/20260125-143052-a7b3c9.json: a valid run record, completed
    tasks/prd-add-user-auth.md: a valid requirements document
    "
  `);
});

describe("several problems at once, with their places", () => {
  test.each<[string, string, string, number, RegExp[]]>([
    [
      "an analysis",
      "analysis.json",
      analysis.replace('"priority_item"', '"item"').replace('"anthropic"', '"me"'),
      2,
      [/priority_item is missing/, /:2:3: item is not a known key/, /:\d+:3: provider must be/],
    ],
    [
      "a run record",
      "run-record.json",
      record
        .replace('"completed"', '"done"')
        .replace('"run_id"', '"runid"')
        .replace('"https:', '"ftp:')
        .replace('"status"', '"usage_by_role": { "reviewer": { "calls": 1 } }, "status"'),
      2,
      [
        /pr_url must be an address such as "https:/,
        /usage_by_role\.reviewer is not a known key; did you mean "review"/,
        /status must be "running"/,
        /:2:3: runid is not a known key; did you mean "run_id"/,
      ],
    ],
    [
      "a requirements document",
      "prd-x.md",
      document.replace("autonomous", "auto").replace("generated_at", "generated"),
      2,
      [/:2:1: generated_at is missing; it must be a time such as/, /:5:1: mode must be/],
    ],
    [
      "a session.json alone",
      "session.json",
      session.replace('"running"', '"run"').replace("-a7b3c9f2d1e8", "-XYZ"),
      6,
      [/session\.json:3:3: session_token must look like/, /session\.json:\d+:3: status must be/],
    ],
    [
      "a timeline alone",
      "timeline.jsonl",
      `${timeline}nonsense\n{"ts":"2026-01-25T14:00:00Z","event":"info"}\n \n`,
      6,
      [
        /timeline\.jsonl:11:1: the line is empty; remove it/,
        /timeline\.jsonl:9:1: this is not JSON/,
        /timeline\.jsonl:10:2: ts is earlier than/,
      ],
    ],
  ])("in %s", async (_, name, content, code, says) => {
    await using project = await createPlace();
    const file = put(project, `elsewhere/${name}`, content);
    const { exitCode, stderr } = await project.ralph("validate", file);
    for (const each of says) expect(stderr).toMatch(each);
    expect(exitCode).toBe(code);
  });

  test("in a configuration, those of drivers and variables among them", async () => {
    await using project = await createPlace({
      agents: { review: { driver: "cluade" }, env: ["GITHUB_TOKEN"] },
      config: { git: { base_branch: "origin/main" } },
    });
    const { exitCode, stderr } = await project.ralph("validate");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/agents\.review\.driver is "cluade".*did you mean "claude"/);
    expect(stderr).toMatch(/agents\.env names GITHUB_TOKEN, which no agent may have/);
    expect(stderr).toMatch(/warning: git\.base_branch begins with the name of the remote/);
  });
});

test("a budget that agents without a price could not keep is refused, as `ralph run` would", async () => {
  const review = { driver: "codex" };
  await using project = await createPlace({
    agents: { implementation: review, test_writing: review, review },
    config: { limits: { budget_usd: 5 }, pricing: {} },
  });
  const { exitCode, stderr } = await project.ralph("validate");
  expect(stderr).toMatch(
    /ralph\.yml:\d+:3: limits hold a budget that cannot be enforced: .*agents\.review \(driver codex\)/,
  );
  expect(exitCode).toBe(1);
});

test("a gate whose condition nothing meets is a warning, and so is a level where none is left", async () => {
  const gate = (name: string, changes: object) => ({ name, cmd: "true", ...changes });
  const full = [gate("one", { when: "package.json" }), gate("two", { fatal: false })];
  const build = [gate("three", { when: "src" }), gate("four", { when: "**/*.md" })];
  await using project = await createPlace({
    config: { gates: { build, full } },
    files: { "src/a.ts": "", "README.md": "" },
  });
  const before = await project.ralph("validate", ".ralph/ralph.yml");
  expect(before.exitCode).toBe(0);
  expect(before.stdout.match(/warning: .*/g)).toEqual([
    "warning: gates.full has no fatal gate that runs here, so no command decides whether a task is done",
    "warning: gates.full[0].when is package.json, which matches no file here, so the gate is skipped",
  ]);
  project.write("package.json", "{}\n");
  expect((await project.ralph("validate", ".ralph/ralph.yml")).stdout).not.toContain("warning");
});

test.each(["README.md", "notes.txt", "journal.jsonl"])(
  "%s is not a kind of file that can be checked: exit 1",
  async (name) => {
    await using project = await createPlace();
    project.write(name, name.endsWith("l") ? '{"seq":1,"prev":"","event":"x"}\n' : "colour: x\n");
    const { exitCode, stderr } = await project.ralph("validate", name);
    expect(stderr).toMatch(/not a kind of file that ralph can check/);
    expect(exitCode).toBe(1);
  },
);

test("a status without its seal is a warning; one that was left alone in its folder is tampering", async () => {
  await using project = await createPlace();
  await project.run();
  const status = project.read(".ralph-session/task-status.json");
  const { exitCode, stdout } = await project.ralph("validate", put(project, "x/s.json", status));
  expect(stdout).toMatch(/s\.json:1:1: warning: the document has no s\.sha256 beside it/);
  expect(exitCode).toBe(0);
  const folder = dirname(put(project, "y/task-status.json", status));
  const lonely = await project.ralph("validate", folder);
  expect(lonely.stderr).toMatch(/session\.json: does not exist/);
  expect(lonely.exitCode).toBe(6);
});

test("an owner's settings are checked as the App reads them, when they are found or named", async () => {
  await using project = await createPlace();
  const sound = `version: "1"\nlimits: { runs_per_day: 20 }\nrepositories: [one]\n`;
  project.write(".ralph/organization.yml", sound);
  const found = await project.ralph("validate");
  expect(found.exitCode, found.stderr).toBe(0);
  expect(found.stdout).toContain(
    ".ralph/organization.yml: valid settings for all repositories of an owner; the App reads it as .ralph/organization.yml of the owner's repository .github\n",
  );
  const file = put(
    project,
    "organization.yml",
    `version: "1"\nlimits: { runs: 20 }\npause: often\n`,
  );
  const named = await project.ralph("validate", file);
  expect(named.exitCode).toBe(1);
  expect(named.stderr).toMatch(/organization\.yml:2:\d+: limits\.runs .*\n.*:3:\d+: pause /);
  expect(named.stderr).toContain(
    "Correct the file at the places above; until then nothing starts.",
  );
});

test("several files of one session are one check", async () => {
  await using project = await createPlace();
  await project.run();
  const names = ["session.json", "task-status.json", "logs/timeline.jsonl"];
  const paths = names.map((name) => `.ralph-session/${name}`);
  const { stdout } = await project.ralph("validate", ...paths);
  expect(stdout).toBe(".ralph-session: a valid session without signs of tampering\n");
});

test("files of another tool that contradict each other are reported, as by status", async () => {
  await using project = await createPlace();
  const at = "2026-01-25T14:30:52Z";
  const mode = (name: string) => ({
    ...{ active: true, iteration: 1, max_iterations: 5 },
    ...{ current_phase: name === "ralph" ? "executing" : "work", started_at: at },
  });
  for (const name of ["ralph", "autopilot"])
    project.write(`.omx/state/${name}-state.json`, JSON.stringify(mode(name)));
  const { exitCode, stderr } = await project.ralph("validate");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("must be false: autopilot is active too");
  const status = await project.ralph("status");
  expect(status.stdout).toContain("must be false: autopilot is active too");
});

test("memory files are checked: sections, times and order", async () => {
  await using project = await createPlace();
  project.write("AGENTS.md", "# AGENTS.md\n\n## Codebase Patterns\n");
  project.write(
    ".ralph/progress.txt",
    "## Codebase Patterns\n\n---\n\n## [2026-01-25 14:00:00] - T-001: A\n\n## [2026-01-26 14:00:00] - T-002: B\n",
  );
  const { exitCode, stdout } = await project.ralph("validate", "AGENTS.md", ".ralph/progress.txt");
  expect(exitCode).toBe(0);
  expect(stdout).toContain('warning: has no section "## Recent Learnings"');
  expect(stdout).toContain("warning: has the oldest entries first");
  project.write(".ralph/progress.txt", "## [2026-13-45 14:00:00] - T-001: A\n");
  const broken = await project.ralph("validate", ".ralph/progress.txt");
  expect([broken.exitCode, broken.stderr]).toEqual([
    2,
    expect.stringContaining(".ralph/progress.txt:1: 2026-13-45 14:00:00 is no time"),
  ]);
});
