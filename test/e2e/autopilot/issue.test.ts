import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "../../../src/schema/session-files/checksum.ts";
import { renderPullMarker } from "../../../src/views/pull-request/pull-marker.ts";
import {
  createAutopilotProject,
  goodAnswer,
  reportPath,
  reportText,
  say,
} from "../../support/autopilot/project.ts";
import { type Seen, startGitHubServer } from "../../support/github/server.ts";
import { hasProgram } from "../../support/project/programs.ts";
import type { Project } from "../../support/project/project.ts";
import { createTestFolder } from "../../support/project/system.ts";

const sandboxed = hasProgram("bwrap") ? test : test.skip;

const issue = {
  ...{ number: 7, title: "Login", body: reportText, html_url: "https://github.com/o/n/issues/7" },
  user: { login: "stranger" },
};
const viewer = { data: { viewer: { login: "ralph[bot]" } } };

const gitHubWith = (pulls: readonly object[]) =>
  startGitHubServer(({ path }: Seen) => {
    if (path.includes("graphql")) return { body: viewer };
    return { body: path.includes("/issues/7") ? issue : pulls };
  });

const access = { GITHUB_TOKEN: "token" };

/** The repository `o/n` of a server is where it is pushed to. */
const addRemote = ({ git }: Pick<Project, "git">, url: string) =>
  git("remote", "add", "origin", `${url}/o/n.git`);

sandboxed(
  "an issue is worked on in the sandbox, whatever the configuration says, and again when it is named",
  async () => {
    await using github = await gitHubWith([]);
    await using project = await createAutopilotProject({ env: access });
    addRemote(project, github.url);
    const ended = await project.ralph("autopilot", "--issue", "7", "--no-create-pr", "--json");
    expect(ended.exitCode).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      ...{ status: "completed", sandbox: "bubblewrap" },
      analysis: { source_report: "reports/issue-7.md" },
    });
    expect(project.git("status", "--porcelain")).toBe("");
    // Named alone it is worked on again.
    const again = await project.ralph("autopilot", "--issue", "7", "--dry-run");
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("Repair the login"),
    });
    // Chosen among others the item is the same as before.
    const among = ["autopilot", "--issue", "7", "--reports", "reports", "--dry-run"];
    expect(await project.ralph(...among)).toMatchObject({
      exitCode: 11,
      stdout: expect.stringMatching(/Issue 7: was worked on before\n.*Analyzing reports\/weekly/s),
    });
  },
);

sandboxed(
  "an item is chosen among the new reports and an issue, and the choice is reported",
  async () => {
    await using github = await gitHubWith([]);
    const other = { "reports/older-20260101.md": `# Older\n\n${"Something else. ".repeat(9)}\n` };
    const turns = [say(goodAnswer), say(goodAnswer), say({ ...goodAnswer, document: 3 })];
    await using project = await createAutopilotProject({ env: access, files: other, turns });
    addRemote(project, github.url);
    const args = ["--issue", "7", "--reports", "reports", "--no-create-pr"];
    // A model that does not say which document it was.
    expect(await project.ralph("autopilot", ...args)).toMatchObject({ exitCode: 11 });
    expect(await project.record()).not.toHaveProperty("report_path");
    const ended = await project.ralph("autopilot", "--resume", "--json");
    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      ...{ status: "completed", sandbox: "bubblewrap" },
      analysis: { source_report: "reports/issue-7.md" },
    });
    expect(await project.record()).toMatchObject({ report_path: "reports/issue-7.md" });
    const shown = project.model.asks[0]?.prompt;
    for (const name of [reportPath, "reports/older-20260101.md", "reports/issue-7.md"]) {
      expect(shown).toContain(name);
    }
  },
);

test("without the sandbox a stranger's report is exit 1 before anything is spent", async () => {
  await using github = await gitHubWith([]);
  await using path = await createPathWithoutBubblewrap();
  const env = { ...access, PATH: path.path };
  await using project = await createAutopilotProject({ env, sandbox: { mode: "auto" } });
  addRemote(project, github.url);
  project.write(".git/info/exclude", "notes/\n");
  project.write("notes/mine.md", reportText);
  for (const args of [
    ["--issue", "7"],
    ["--report", "notes/mine.md"],
  ]) {
    const ended = await project.ralph("autopilot", ...args);
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toContain("bubblewrap (`bwrap`) is not installed");
  }
  expect(project.model.asks).toEqual([]);
});

test("a report named in one of ralph's pull requests counts as processed on any machine", async () => {
  const marker = { run: "20260120-100000-abc123", item: "x", report: sha256(reportText) };
  const side = { ref: "ralph/x", sha: "0".repeat(40), repo: { full_name: "o/n" } };
  const pull = {
    ...{ number: 3, node_id: "n", html_url: "https://github.com/o/n/pull/3", state: "closed" },
    ...{ title: "Ralph: x", body: renderPullMarker(marker), user: { login: "ralph[bot]" } },
    ...{ head: side, base: { ...side, ref: "main" }, created_at: "2026-01-20T10:00:00Z" },
  };
  await using github = await gitHubWith([pull]);
  await using project = await createAutopilotProject({ env: access });
  addRemote(project, github.url);
  const ended = await project.ralph("autopilot");
  expect(ended.exitCode).toBe(10);
  expect(ended.stderr).toContain(`${reportPath} was worked on before`);
});

test("an issue without a repository on GitHub or without a token is exit 1", async () => {
  await using project = await createAutopilotProject({ env: { RALPH_GH_CMD: "false" } });
  const ask = () => project.ralph("autopilot", "--issue", "7");
  expect(await ask()).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("the remote origin is not a repository on GitHub"),
  });
  addRemote(project, "https://github.com");
  expect(await ask()).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("earlier pull requests cannot be read"),
    stderr: expect.stringContaining("set GITHUB_TOKEN"),
  });
});

test("without a token of its own the run uses that of gh", async () => {
  await using github = await gitHubWith([]);
  await using project = await createAutopilotProject({
    env: { RALPH_GH_CMD: "sh -c 'echo secret-of-gh'" },
  });
  addRemote(project, github.url);
  expect(await project.ralph("autopilot", "--dry-run")).toMatchObject({
    exitCode: 0,
    stdout: expect.not.stringContaining("Warning"),
  });
  expect(github.seen.map(({ authorization }) => authorization)).toContain("token secret-of-gh");
});

/** All programs of the folders a run needs, but no bubblewrap. */
async function createPathWithoutBubblewrap() {
  const folder = await createTestFolder();
  const folders = (process.env.PATH ?? "").split(":");
  const folderOf = (program: string) => folders.find((each) => existsSync(join(each, program)));
  for (const source of new Set(["git", "sh", "flock"].map(folderOf))) {
    if (source === undefined) continue;
    const names = readdirSync(source).filter((name) => name !== "bwrap");
    for (const name of names) {
      if (!existsSync(join(folder.path, name))) {
        symlinkSync(join(source, name), join(folder.path, name));
      }
    }
  }
  return folder;
}
