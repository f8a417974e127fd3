import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { renderWorkflow } from "../../../src/scaffold/write/render-workflow.ts";
import { runsAll, thorough } from "../../setup/sampled.ts";
import { createActionProject } from "../../support/action/project.ts";
import { appToken } from "../../support/action/tokens.ts";
import { stepWorkflow } from "../../support/action/workflow.ts";
import { task } from "../../support/builders/session.ts";
import { createNights } from "../../support/nights/nights.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";

const nightly = stepWorkflow({ "create-pr": "true" }).replace(
  "on:\n",
  'on:\n  schedule:\n    - cron: "23 2 * * *"\n',
);

thorough(
  "work that could not be proposed is proposed the next night, without another call of an agent",
  async () => {
    await using nights = await createNights(nightly);
    const { github, night } = nights;
    const forbid = () => {
      github.settings.mayActionsOpenPulls = false;
    };
    const first = await night({ atFirstCall: forbid });
    expect(first.conclusion).toBe("failure");
    expect(first.log).toContain('Tick "Allow GitHub Actions to create and approve pull requests"');
    github.settings.mayActionsOpenPulls = true;
    const second = await night();
    expect(second.conclusion, second.log).toBe("success");
    expect(second.calls).toEqual([]);
    expect(second.log).toContain("The session is published now.");
    expect(github.state.pulls).toMatchObject([{ draft: false, head: { ref: "ralph/example" } }]);
  },
);

test("someone else's pull request from the branch is named, and nothing is spent", async () => {
  await using nights = await createNights(nightly);
  const { github, night } = nights;
  github.remoteGit("branch", "ralph/example", "main");
  await fetch(`${github.server.apiUrl}/repos/octo/example/pulls`, {
    method: "POST",
    headers: { authorization: `Bearer ${appToken}` },
    body: JSON.stringify({ head: "ralph/example", base: "main", title: "Mine", body: "Mine" }),
  });
  const { conclusion, calls, log } = await night();
  expect([conclusion, calls]).toEqual(["failure", []]);
  expect(log).toContain("Someone else's pull request #1 is open from the branch ralph/example");
});

test.runIf(hasBubblewrap && runsAll)(
  "an App opens the pull request with a token made in the publishing job, and its CI starts",
  async () => {
    const workflow = parse(renderWorkflow({ tools: [], prefix: "", config: undefined }));
    const { ralph } = workflow.jobs;
    ralph.with = { labels: "ralph, nightly", reviewers: "ada,octo/core" };
    ralph.secrets = {
      "app-id": `\${{ secrets.APP_ID }}`,
      "app-private-key": `\${{ secrets.APP_KEY }}`,
    };
    await using github = await createActionProject({ tasks: [task("T-001")] });
    const { folder } = github.project;
    writeFileSync(join(folder, "bin/sudo"), "#!/bin/sh\n");
    chmodSync(join(folder, "bin/sudo"), 0o755);
    const asked: Record<string, string>[] = [];
    await using result = await github.run(stringify(workflow), {
      secrets: { APP_ID: "Iv23liCanary", APP_KEY: "canary-key" },
      env: { PATH: `${folder}/bin:${process.env.PATH}` },
      uses: {
        "actions/create-github-app-token": (call) => {
          asked.push(call.with);
          return { token: appToken };
        },
      },
    });
    const log = result.jobs.map((job) => job.log.join("\n")).join("\n");
    expect(result.conclusion, log).toBe("success");
    expect(asked, log).toEqual([
      {
        "client-id": "Iv23liCanary",
        "private-key": "canary-key",
        "permission-contents": "write",
        "permission-pull-requests": "write",
        "permission-checks": "write",
        "permission-actions": "write",
      },
    ]);
    expect(log).toContain("CI has started: ci.");
    expect(github.state.pulls).toMatchObject([{ user: { login: "our-app[bot]" } }]);
    expect(github.state.addressed).toEqual([
      { number: 1, what: "labels", names: ["ralph", "nightly"] },
      { number: 1, what: "reviewers", names: ["ada", "core"] },
    ]);
  },
);
