import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runsAll } from "../setup/sampled.ts";
import { autopilotCaller, createAutopilotAction, saidBy } from "../support/action/autopilot.ts";
import { type ActionProject, createActionProject } from "../support/action/project.ts";
import { itemBranch } from "../support/autopilot/project.ts";
import { task } from "../support/builders/session.ts";
import { branch } from "../support/project/project.ts";
import { hasBubblewrap } from "../support/project/sandbox.ts";

const caller = `
on: { workflow_dispatch: {} }
permissions: {}
jobs:
  ralph:
    permissions: { contents: write, pull-requests: write, checks: write, actions: write }
    uses: org/ralph-action/.github/workflows/ralph.yml@v1
    with: { base-branch: develop }
    secrets: { anthropic-api-key: "\${{ secrets.ANTHROPIC_API_KEY }}" }
`;

/** A branch that is ahead of the default branch, and that no configuration names. */
function addDevelop({ project }: ActionProject): string {
  const { git, gitIn, folder, root } = project;
  const at = git("branch", "--show-current");
  git("switch", "-q", "-c", "develop");
  project.write("src/ahead.txt", "ahead\n");
  git("add", "-A");
  git("commit", "-qm", "ahead");
  const bare = join(folder, "github/octo/example.git");
  gitIn(root, "push", "-q", bare, "develop");
  const tip = git("rev-parse", "develop");
  git("switch", "-q", at);
  return tip;
}

/** What merging would bring, and where to. */
function expectOnDevelop({ state, remoteGit }: ActionProject, head: string, tip: string): void {
  expect(state.pulls).toMatchObject([{ draft: false, base: { ref: "develop" } }]);
  expect(state.pulls[0]?.body).toContain("Proved in a clean room");
  expect(remoteGit("merge-base", head, "develop")).toBe(tip);
  expect(remoteGit("rev-parse", "develop")).toBe(tip);
}

test.runIf(hasBubblewrap && runsAll)(
  "a run starts from the branch it is given, and its pull request goes there",
  async () => {
    await using github = await createActionProject({
      tasks: [task("T-001")],
      mayActionsOpenPulls: true,
    });
    const tip = addDevelop(github);
    const { folder } = github.project;
    writeFileSync(join(folder, "bin/sudo"), "#!/bin/sh\n");
    chmodSync(join(folder, "bin/sudo"), 0o755);
    await using result = await github.run(caller, {
      secrets: { ANTHROPIC_API_KEY: "sk-ant-canary" },
      env: { PATH: `${folder}/bin:${process.env.PATH}` },
    });
    const logs = result.jobs.map(({ log }) => log.join("\n")).join("\n");
    expect(result.conclusion, logs).toBe("success");
    expectOnDevelop(github, branch, tip);
  },
);

test.runIf(hasBubblewrap && runsAll)(
  "an autopilot starts from the branch it is given, and is published onto its history",
  async () => {
    await using github = await createAutopilotAction();
    const tip = addDevelop(github);
    await using result = await github.go(autopilotCaller({ "base-branch": "develop" }));
    expect(result.conclusion, saidBy(result, "Publish")).toBe("success");
    expectOnDevelop(github, itemBranch, tip);
  },
);
