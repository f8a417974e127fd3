import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";

const secretive = {
  tasks: [task("T-001")],
  gates: {
    check: "printf output-of-%s a-gate",
    upload: "true --token abcdef https://u:pw@example.org",
  },
  agent: { review: "echo answer-of-an-agent; claim" },
  env: { DEPLOY_TOKEN: "value-of-a-token", PLAIN: "value-of-a-variable" },
};

test("the support text lists its contents and holds them", async () => {
  await using project = await createProject(secretive);
  const { state } = await project.run();
  const { exitCode, stdout, stderr } = await project.ralph("report", "--support");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^# ralph: what a maintainer needs to help\n\nThis text holds:\n/);
  for (const title of ["Versions", "Configuration", "Last session", "Last events", "Scan"])
    expect(stdout).toContain(`\n## ${title}\n`);
  expect(stdout).toContain(`session ${state.session.session_id}: completed, all_done, exit code 0`);
  expect(stdout).toMatch(
    /\d+ \S+Z agent_end task=T-001 role=review .* outcome=answered signal=valid/,
  );
  expect(stdout).toMatch(/^git: pass: git \d/m);
  expect(stdout).not.toContain("agent-call");
});

test("no secret, no prompt, no output, no text of a task and no path of a person is in it", async () => {
  await using project = await createProject(secretive);
  const { state } = await project.run();
  const { stdout } = await project.ralph("report", "--support");
  const [first] = state.tasks;
  expect(stdout).toContain("true --token *** https://***@example.org");
  const hidden = [
    "value-of-a-token",
    "value-of-a-variable",
    "abcdef ",
    "u:pw",
    "output-of-a-gate",
    "answer-of-an-agent",
    project.root,
    join(project.folder, "home"),
    first?.task.title ?? "",
    ...(first?.task.acceptanceCriteria ?? []),
  ];
  for (const text of hidden) expect(stdout).not.toContain(text);
});

test("the output for a file asks to read it before sharing", async () => {
  await using project = await createProject(secretive);
  const { exitCode, stdout } = await project.ralph("report", "--support", "support.txt");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^support\.txt holds versions, configuration/);
  expect(stdout).toContain("Read it");
  expect(project.read("support.txt")).toContain(
    "## Last session\n\n~~~~~~text\nThere is no session.",
  );
});

test("an older bundle is written over, and nothing else", async () => {
  await using project = await createProject(secretive);
  const write = async (name: string) => (await project.ralph("report", "--support", name)).exitCode;
  expect([await write("support.txt"), await write("support.txt")]).toEqual([0, 0]);
  project.write("README.md", "# Mine\n");
  expect([await write("README.md"), await write("nowhere/support.txt")]).toEqual([1, 1]);
  expect(project.read("README.md")).toBe("# Mine\n");
});

test("a password in the remote's address and in a change of files is not in it", async () => {
  await using project = await createProject(secretive);
  project.git("remote", "add", "origin", "https://ada:pw-of-remote@example.org/x.git");
  project.write("value-of-a-token.txt", "x");
  const { stdout } = await project.ralph("report", "--support", "");
  expect(stdout).toContain("***.txt");
  for (const text of ["pw-of-remote", "value-of-a-token"]) expect(stdout).not.toContain(text);
});

test("each failure takes one line", async () => {
  await using project = await createProject({
    ...secretive,
    agent: { implementation: "echo cannot reach value-of-a-token >&2; exit 3" },
  });
  await project.run();
  const { stdout } = await project.ralph("report", "--support");
  expect(stdout).toMatch(/outcome=failed\/agent .*exit code 3: cannot reach \*\*\*"/);
});

test.each<[string, (root: string) => void]>([
  ["no repository", (root) => rmSync(join(root, ".git"), { recursive: true })],
  ["no configuration", (root) => rmSync(join(root, ".ralph"), { recursive: true })],
])("with %s there is a bundle all the same", async (_, arrange) => {
  await using project = await createProject(secretive);
  arrange(project.root);
  const { exitCode, stdout } = await project.ralph("report", "--support", "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    file: null,
    text: expect.stringContaining("## Scan"),
  });
});
