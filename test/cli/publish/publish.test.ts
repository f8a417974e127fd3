import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { takeLock } from "../../../src/entry/take-lock.ts";
import { locateProject } from "../../../src/session/open/locate-project.ts";
import { runsAll, thorough } from "../../setup/sampled.ts";
import { type ActionProject, createActionProject, token } from "../../support/action/project.ts";
import { task } from "../../support/builders/session.ts";
import { runCommand } from "../../support/project/command.ts";
import { branch, type ProjectOptions, sessionFolders } from "../../support/project/project.ts";
import { chromium } from "../../support/services/chromium.ts";
import { webAppFiles, webAppServices } from "../../support/services/web-app.ts";

const withToken = { GITHUB_TOKEN: token };

/** A project with a finished session, and its repository on GitHub as the remote. */
async function createFinished(options: ProjectOptions = {}): Promise<ActionProject> {
  const github = await createActionProject({
    tasks: [task("T-001"), task("T-002")],
    env: withToken,
    ...options,
  });
  github.project.git("remote", "add", "origin", `${github.server.url}/octo/example.git`);
  await github.project.run();
  return github;
}

const branches = ({ remoteGit }: ActionProject) => remoteGit("branch", "--list", "ralph/*");

test("a dry run shows title, text and commits, needs no token and changes nothing", async () => {
  await using github = await createFinished({ env: {} });
  const { exitCode, stdout, stderr } = await github.project.ralph("publish", "--dry-run");
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Branch {2}ralph\/example: 2 commits, up to [0-9a-f]{12}$/m);
  expect(stdout).toMatch(
    /^Pull {4}ralph\/example into main, as a draft: its work was not proved in a clean room$/m,
  );
  expect(stdout).toMatch(/^Title {3}Ralph: /m);
  expect(stdout).toContain("**2 of 2 tasks passed**");
  const json = JSON.parse((await github.project.ralph("publish", "--dry-run", "--json")).stdout);
  expect(json).toMatchObject({
    branch,
    base: "main",
    draft: expect.stringContaining("clean room"),
    pull_request: true,
  });
  expect(json.commits).toHaveLength(2);
  expect(branches(github)).toBe("");
  expect(github.server.seen).toEqual([]);
});

test.runIf(chromium && runsAll)("a dry run names the branch that would show pictures", async () => {
  await using github = await createFinished({
    tasks: [task("T-001", { affectsFrontend: true })],
    agent: { implementation: "sed -i s/Users/People/ index.html; honest" },
    files: webAppFiles(),
    config: { pr: { images: "branch" }, services: await webAppServices() },
  });
  const { stdout } = await github.project.ralph("publish", "--dry-run");
  expect(stdout).toMatch(/^Images {2}2 pictures on the branch ralph\/evidence\/\d{8}-\d{6}-\w+$/m);
  const json = JSON.parse((await github.project.ralph("publish", "--dry-run", "--json")).stdout);
  expect(json.pictures).toMatchObject({
    count: 2,
    branch: expect.stringMatching(/^ralph\/evidence\//),
  });
});

test("the last session becomes a pull request, and a second time changes nothing", async () => {
  await using github = await createFinished();
  const first = await github.project.ralph("publish");
  expect(first.stderr).toBe("");
  expect(first.exitCode).toBe(0);
  expect(first.stdout).toMatch(/^Pushed ralph\/example, now at [0-9a-f]{12}\.$/m);
  expect(first.stdout).toMatch(/^Pull request #1 is a draft: .* not proved in a clean room\.$/m);
  expect(first.stdout).toMatch(/^CI has started: ci\.$/m);
  expect(github.state.pulls).toMatchObject([{ draft: true, head: { ref: branch } }]);
  const tip = github.remoteGit("rev-parse", branch);
  const again = await github.project.ralph("publish", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({
    branch,
    pushed: "up-to-date",
    pull_request: { kind: "adopted", number: 1, draft: true },
  });
  expect(github.remoteGit("rev-parse", branch)).toBe(tip);
  expect(github.state.comments).toHaveLength(1);
  expect(github.state.checkRuns).toMatchObject([{ head_sha: tip, conclusion: "success" }]);
});

thorough(
  "a run that found nothing to do hides no work, and what a killed publication left is removed",
  async () => {
    await using github = await createFinished();
    const { project } = github;
    expect((await project.run()).stdout).toMatch(/nothing/i);
    const { store } = await locateProject(project.system, project.root);
    const left = `${store.folder}/.ralph-tmp-999999999-1-0123456789abcdef`;
    mkdirSync(left);
    const { exitCode, stdout } = await project.ralph("publish");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Pushed ralph\/example/m);
    expect(existsSync(left)).toBe(false);
  },
);

thorough("the token may be that of gh, which is asked for the remote's server", async () => {
  const script = `[ "$1 $2 $3" = "auth token --hostname" ] && case $4 in 127.*) echo ${token};; esac`;
  await using github = await createFinished({ env: { RALPH_GH_CMD: `sh -c '${script}' gh` } });
  const asked = github.server.seen.length;
  const { exitCode, stderr } = await github.project.ralph("publish", "--no-pr");
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  expect(branches(github)).toContain(branch);
  expect(github.server.seen).toHaveLength(asked);
});

thorough("a bundle is published from a clone", async () => {
  await using github = await createFinished();
  const { project } = github;
  const clone = join(project.folder, "clone");
  project.gitIn(
    project.folder,
    "clone",
    "-q",
    join(project.folder, "github/octo/example.git"),
    clone,
  );
  project.gitIn(clone, "remote", "set-url", "origin", `${github.server.url}/octo/example.git`);
  const [bundle = ""] = sessionFolders(project.stateDir);
  expect(readdirSync(bundle)).toContain("objects.pack");
  const place = { cwd: clone, env: project.system.env };
  const { exitCode, stderr } = await runCommand(place, ["publish", "--no-pr", "--bundle", bundle]);
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  expect(branches(github)).toContain(branch);
});

thorough("commits pushed by others stay (exit 14)", async () => {
  await using github = await createFinished();
  github.remoteGit("branch", branch, "main");
  const args = ["-c", "user.name=Ada", "-c", "user.email=a@b.c", "commit-tree"];
  const theirs = github.remoteGit(...args, "-p", "main", "-m", "mine", "main^{tree}");
  github.remoteGit("update-ref", `refs/heads/${branch}`, theirs);
  const { exitCode, stderr } = await github.project.ralph("publish");
  expect(exitCode).toBe(14);
  expect(stderr).toContain(theirs);
  expect(github.state.pulls).toEqual([]);
});

thorough("a pull request that may not be opened is exit 15, and the branch is there", async () => {
  await using github = await createFinished();
  github.state.pulls.push({
    number: 1,
    node_id: "PR_1",
    html_url: "https://github.com/octo/example/pull/1",
    state: "open",
    draft: false,
    title: "theirs",
    body: "",
    user: { login: "ada", type: "User" },
    head: { ref: branch, sha: "c".repeat(40), repo: { full_name: "octo/example" } },
    base: { ref: "main", sha: "b".repeat(40), repo: { full_name: "octo/example" } },
    created_at: "2026-01-25T14:40:00Z",
    merged_at: null,
  });
  const { exitCode, stderr } = await github.project.ralph("publish");
  expect(exitCode).toBe(15);
  expect(stderr).toContain("ada");
  expect(branches(github)).toContain(branch);
});

test("a secret in a commit is exit 25, and nothing is pushed", async () => {
  const agent = `honest; [ "$role" = review ] || echo "ghp_${"a1B2".repeat(9)}" >src/key.txt`;
  await using github = await createFinished({ agent });
  const { exitCode, stderr } = await github.project.ralph("publish");
  expect(exitCode).toBe(25);
  expect(stderr).toContain("src/key.txt");
  expect(branches(github)).toBe("");
});

thorough("while a session is running it is exit 24", async () => {
  await using github = await createFinished();
  const { project } = github;
  const { store } = await locateProject(project.system, project.root);
  await using _ = await takeLock(project.system, store, "20260125-143052-a7b3c9");
  expect(await project.ralph("publish")).toMatchObject({
    exitCode: 24,
    stderr: expect.stringContaining("20260125-143052-a7b3c9"),
  });
  expect(branches(github)).toBe("");
});

thorough("a session that will continue is published as a draft, with exit 23", async () => {
  const agent = `[ "$task" != T-002 ] || {
  echo "Claude AI usage limit reached|$(($(date +%s) + 90000))"; exit 1; }
honest`;
  await using github = await createFinished({ agent });
  const { exitCode, stdout } = await github.project.ralph("publish");
  expect(exitCode).toBe(23);
  expect(stdout).toMatch(/is a draft: the session is not over\.$/m);
  expect(stdout).toMatch(/ralph run --resume/);
  expect(github.state.pulls).toMatchObject([{ draft: true }]);
});

test.each<[string, string[], ProjectOptions, number, RegExp]>([
  ["without a token", [], { env: {} }, 1, /gh auth login/],
  ["without a session in the folder", ["--bundle", "src"], {}, 2, /not a folder with a journal/],
])("%s it says what to do", async (_, args, options, code, says) => {
  await using github = await createFinished({
    ...options,
    ...(options.env && { env: { RALPH_GH_CMD: "false" } }),
  });
  const { exitCode, stderr } = await github.project.ralph("publish", ...args);
  expect(exitCode).toBe(code);
  expect(stderr).toMatch(says);
});

test("without a session or a remote it says what to do", async () => {
  await using github = await createActionProject({ tasks: [task("T-001")], env: withToken });
  expect(await github.project.ralph("publish")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/no session to publish.*\n.*ralph run/),
  });
  await github.project.run();
  expect(await github.project.ralph("publish")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/no remote named origin.*\n.*git remote add origin/),
  });
});
