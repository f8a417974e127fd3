import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProgram } from "../../../src/cli/program.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";
import type { Ended } from "../../support/project/project.ts";

/** `ralph ARGS` in a folder of the project. */
async function ralph(project: GitProject, folder: string, ...args: string[]): Promise<Ended> {
  const ended = { exitCode: -1, stdout: "", stderr: "" };
  const capture = (name: "stdout" | "stderr") => ({
    write: (text: string) => {
      ended[name] += text;
    },
  });
  const program = await createProgram(
    {
      system: () => ({
        ...project.system,
        // These tests start no agent program.
        env: { ...project.system.env, RALPH_STATE_DIR: project.stateDir, RALPH_CLAUDE_CMD: "true" },
      }),
      directory: join(project.root, folder),
      streams: { stdout: capture("stdout"), stderr: capture("stderr") },
      cancel: () => new AbortController().signal,
      exit: (code) => {
        ended.exitCode = code;
      },
    },
    args,
  );
  await program.parseAsync(["node", "ralph", ...args]);
  return ended;
}

const init = (project: GitProject, ...args: string[]) => ralph(project, "", "init", ...args);

const node = { "package.json": '{ "name": "shop", "scripts": { "test": "node --test" } }' };
const files = [
  ".ralph/ralph.yml",
  ".ralph/prd.json",
  ".ralph/progress.txt",
  "AGENTS.md",
  ".github/workflows/ralph.yml",
  ".gitignore",
];

test("a Node project gets all files, and the output shows the next steps", async () => {
  await using project = await createGitProject(node);
  const { exitCode, stdout } = await init(project);
  expect(exitCode).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "Detected: Node (package.json, npm)
    Template: node

    Created:
      .ralph/ralph.yml             how to work: setup, gates, limits
      .ralph/prd.json              what to do: an example task to replace
      .ralph/progress.txt          what was done, for later runs
      AGENTS.md                    what agents should know
      .github/workflows/ralph.yml  runs on GitHub: every night and by hand
      .gitignore                   keeps session files and installed packages out of git

    Gates (they decide when a task is done; none has been run yet):
      test: npm test

    Next steps:
      1. Read .ralph/ralph.yml: every gate must pass on a fresh checkout.
      2. Replace the example in .ralph/prd.json with your work, then: ralph validate
      3. Commit; a run starts from a clean tree: git add .ralph/ralph.yml .ralph/prd.json .ralph/progress.txt AGENTS.md .github/workflows/ralph.yml .gitignore && git commit -m "chore: add ralph"
      4. ralph scan          (runs every gate, and shows what is missing on this machine)
      5. ralph run --dry-run, then: ralph run
      6. For GitHub: gh secret set ANTHROPIC_API_KEY, then push.
    "
  `);
  for (const path of files) expect(existsSync(join(project.root, path)), path).toBe(true);
});

test.each<[string, Record<string, string>]>([
  ["an empty Node project", { "package.json": "{}" }],
  ["an empty Python project", { "pyproject.toml": "" }],
  [
    "a full stack",
    {
      "pyproject.toml": '[project]\nname = "x"\n',
      "frontend/package.json": '{"scripts":{"test":"x"}}',
    },
  ],
  ["a workspace", { "package.json": '{"workspaces":["a"]}', "a/package.json": '{"name":"a"}' }],
  ["nothing", {}],
])("the files written for %s are valid, and a run accepts the committed tree", async (_, tree) => {
  await using project = await createGitProject(tree);
  expect((await init(project)).exitCode).toBe(0);
  const checked = await ralph(project, "", "validate");
  expect(checked).toMatchObject({ exitCode: 0, stderr: "" });
  project.git("add", "-A");
  project.git("commit", "-qm", "chore: add ralph");
  expect((await ralph(project, "", "run", "--dry-run")).exitCode).toBe(0);
});

test("a project without a gate gets a clear warning, on the screen and in the file", async () => {
  await using project = await createGitProject();
  const { stdout } = await init(project);
  expect(stdout).toContain("ATTENTION: there is no gate.");
  expect(stdout).toContain("1. Add a command that tests the project to .ralph/ralph.yml");
  expect(project.read(".ralph/ralph.yml")).toMatch(
    /# ATTENTION[\s\S]*# {5}- name: test\n[\s\S]*full: \[\]/,
  );
});

test("files that exist are kept and listed; with all of them there it is exit 1", async () => {
  await using project = await createGitProject({ ...node, "AGENTS.md": "ours\n" });
  const first = await init(project);
  expect(first.stdout).toMatch(/Kept as they are \(--force replaces them\):\n {2}AGENTS\.md/);
  expect(project.read("AGENTS.md")).toBe("ours\n");
  const second = await init(project);
  expect(second.exitCode).toBe(1);
  expect(second.stderr).toMatch(/^Error: Nothing was written; .*AGENTS\.md.*\n.*--force/);
});

test("a second --force finds nothing to replace", async () => {
  await using project = await createGitProject({ ...node, "AGENTS.md": "ours\n" });
  await init(project, "--force");
  const { exitCode, stdout } = await init(project, "--force");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/Up to date:\n {2}\.ralph\/ralph\.yml/);
  expect(stdout).not.toMatch(/Replaced|Kept/);
});

test("before the first commit everything is to be committed, the project's own files too", async () => {
  await using project = await createGitProject(node);
  project.git("update-ref", "-d", "HEAD");
  expect((await init(project)).stdout).toContain("git add -A && git commit");
});

test("-c is not where init writes", async () => {
  await using project = await createGitProject(node);
  const { exitCode, stderr } = await init(project, "-c", "x.yml");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("ralph init -o FOLDER");
  expect(existsSync(join(project.root, ".ralph"))).toBe(false);
});

test("--force replaces what differs and leaves it as .bak", async () => {
  await using project = await createGitProject({ ...node, "AGENTS.md": "ours\n" });
  await init(project);
  const { exitCode, stdout } = await init(project, "--force", "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    created: [],
    replaced: [{ path: "AGENTS.md", backup: "AGENTS.md.bak" }],
  });
  expect(project.read("AGENTS.md.bak")).toBe("ours\n");
});

test("a configuration that stays decides where the task list goes", async () => {
  await using project = await createGitProject(node);
  await init(project, "--no-prd", "--no-workflow", "--no-agents-md");
  expect(existsSync(join(project.root, ".ralph/prd.json"))).toBe(false);
  const text = project.read(".ralph/ralph.yml");
  project.write(".ralph/ralph.yml", text.replace(".ralph/prd.json", "plans/next.json"));
  const { stdout } = await init(project, "--json", "--no-workflow", "--no-agents-md");
  expect(JSON.parse(stdout)).toMatchObject({ created: ["plans/next.json"] });
});

test("--output moves our own files, and the commands to come name them", async () => {
  await using project = await createGitProject(node);
  const { stdout } = await init(project, "-o", "./ci/ralph/");
  expect(stdout).toContain("ralph -c ci/ralph/ralph.yml validate");
  expect(project.read(".github/workflows/ralph.yml")).toContain("config: ci/ralph/ralph.yml");
  expect(existsSync(join(project.root, ".ralph"))).toBe(false);
  const checked = await ralph(project, "", "-c", "ci/ralph/ralph.yml", "validate");
  expect(checked.exitCode).toBe(0);
  expect((await init(project, "-o", "../x")).exitCode).toBe(1);
});

test("a package of a larger repository is a project of its own", async () => {
  await using project = await createGitProject({ ...node, "apps/a/package.json": "{}" });
  mkdirSync(join(project.root, "apps/a/src"));
  const { stdout } = await ralph(project, "apps/a/src", "init", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ root: join(project.root, "apps/a") });
  const workflow = project.read(".github/workflows/ralph-apps-a.yml");
  expect(workflow).toContain("working-directory: apps/a");
  const again = await ralph(project, "apps/a", "init", "--force");
  expect(again.stdout).toMatch(/^ {2}\.\.\/\.\.\/\.github\/workflows\/ralph-apps-a\.yml/m);
});

test("without a repository the files are written, and git init comes first", async () => {
  await using project = await createGitProject(node);
  rmSync(join(project.root, ".git"), { recursive: true });
  const { exitCode, stdout } = await init(project);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/Next steps:\n {2}1\. git init/);
});

test("a template that does not fit the project says so", async () => {
  await using project = await createGitProject(node);
  const { stdout } = await init(project, "-t", "python");
  expect(stdout).toMatch(/^Detected: nothing that the template python covers\nTemplate: python\n/);
});

test("the template that was asked for is taken", async () => {
  await using project = await createGitProject({ ...node, "pyproject.toml": "" });
  const { stdout } = await init(project, "-t", "python", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ template: "python", gates: [] });
});
