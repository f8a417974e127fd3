import { join } from "node:path";
import { expect } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { token } from "../../support/action/project.ts";
import { createAutopilotProject, itemBranch, reportPath } from "../../support/autopilot/project.ts";
import { createFakeGitHub } from "../../support/github/fake-github.ts";
import { startGitHubServer } from "../../support/github/server.ts";

thorough(
  "the pull request of an autopilot run names its item and stays a draft without a clean room; record and archive follow",
  async () => {
    const env = { RALPH_GH_CMD: `sh -c 'echo ${token}'` };
    await using project = await createAutopilotProject({ env });
    const root = join(project.folder, "github");
    const bare = join(root, "octo/example.git");
    project.gitIn(project.folder, "clone", "-q", "--bare", project.root, bare);
    const fake = createFakeGitHub({ repository: "octo/example" });
    await using server = await startGitHubServer(fake.answer, { root, token });
    project.git("remote", "add", "origin", `${server.url}/octo/example.git`);
    const first = await project.ralph("autopilot");
    expect(first).toMatchObject({ exitCode: 0, stderr: "" });
    const { run_id } = await project.record();
    expect(first.stdout).toContain(`Pull request  ${fake.state.pulls[0]?.html_url}`);
    expect(first.stdout).toMatch(/is a draft: its work was not proved in a clean room\.$/m);
    expect(fake.state.pulls).toMatchObject([
      {
        draft: true,
        title: "Ralph: Repair the login form",
        head: { ref: itemBranch },
        body: expect.stringMatching(
          new RegExp(`^<!-- ralph:run:${run_id} item:[0-9a-f]+ report:`, "m"),
        ),
      },
    ]);
    expect(fake.state.pulls[0]?.body).toContain(reportPath);
    const git = (...args: string[]) => project.gitIn(bare, ...args);
    const archive = `.ralph/archive/${run_id.slice(0, 8)}-login-form`;
    const names = git("diff", "--name-only", `${itemBranch}^`, itemBranch).split("\n");
    expect(names).toEqual([
      `${archive}/analysis.json`,
      `${archive}/prd.json`,
      `${archive}/progress.txt`,
      `${archive}/run-record.json`,
      `.ralph/autopilot/runs/${run_id}.json`,
    ]);
    const record = git("show", `${itemBranch}:${names.at(-1)}`);
    expect(git("show", `${itemBranch}:${archive}/run-record.json`)).toBe(record);
    expect(JSON.parse(record)).toMatchObject({
      ...{ run_id, phase: "completed", status: "completed", report_path: reportPath },
      ...{ pr_created: true, pr_url: fake.state.pulls[0]?.html_url, proof: "in_place" },
    });

    expect(await project.record()).toMatchObject({ status: "completed", pr_created: true });
    const tip = git("rev-parse", itemBranch);
    expect(await project.ralph("publish")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(git("rev-parse", itemBranch)).toBe(tip);
    expect(fake.state).toMatchObject({ pulls: [{ number: 1 }], comments: [{ issue: 1 }] });
  },
);
