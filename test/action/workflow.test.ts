import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runsAll } from "../setup/sampled.ts";
import { type ActionProject, createActionProject } from "../support/action/project.ts";
import { writes } from "../support/action/workflow.ts";
import { task } from "../support/builders/session.ts";
import { hasBubblewrap } from "../support/project/sandbox.ts";
import type { JobResult, WorkflowResult } from "../support/runner/model.ts";

/** The first workflow of the README, with one secret. */
const caller = `
on: { workflow_dispatch: { inputs: { resume-from: { default: "" } } } }
permissions: {}
jobs:
  ralph:
    permissions: { contents: write, pull-requests: write, checks: write, actions: write }
    uses: org/ralph-action/.github/workflows/ralph.yml@v1
    with: { resume-from: "\${{ inputs.resume-from }}" }
    secrets: { anthropic-api-key: "\${{ secrets.ANTHROPIC_API_KEY }}" }
`;

const two = ["T-001", "T-002"].map((id) => task(id));

/** Installs nothing: everything the job needs is there. */
function withoutRoot(folder: string): Record<string, string> {
  writeFileSync(join(folder, "bin/sudo"), "#!/bin/sh\n");
  chmodSync(join(folder, "bin/sudo"), 0o755);
  return { PATH: `${folder}/bin:${process.env.PATH}` };
}

const jobNamed = ({ jobs }: WorkflowResult, name: string): JobResult => {
  const job = jobs.find((one) => one.name === `ralph / ${name}`);
  if (!job) throw new Error(`The job ${name} did not run: ${jobs.map((one) => one.name)}`);
  return job;
};

/** Runs the caller's workflow in a GitHub of its own. */
async function runCaller(github: ActionProject) {
  return github.run(caller, {
    secrets: { ANTHROPIC_API_KEY: "sk-ant-canary" },
    env: withoutRoot(github.project.folder),
  });
}

test.runIf(hasBubblewrap && runsAll)(
  "three jobs: agents without a token, a proof without agents, and a push",
  async () => {
    await using github = await createActionProject({ tasks: two, mayActionsOpenPulls: true });
    await using result = await runCaller(github);
    const work = jobNamed(result, "Work");
    const proof = jobNamed(result, "Prove again");
    const publish = jobNamed(result, "Publish");
    expect(result.conclusion).toBe("success");
    expect(work.permissions).toEqual({ contents: "read", actions: "read" });
    expect(proof.permissions).toEqual({ contents: "read" });
    expect(publish.permissions).toEqual(writes);
    expect(work.summary).toContain("sandbox bubblewrap");
    expect(proof.summary).toMatch(/proved/);
    expect(proof.log.join("\n")).toMatch(/Head \w{12} is proved by 1 gate .* in the sandbox\./);
    const subjects = github.remoteGit("log", "--format=%s", "main..ralph/example");
    expect(subjects.match(/(?<=feat\()T-\d+/g)).toEqual(["T-002", "T-001"]);
    const [pull] = github.state.pulls;
    expect(pull).toMatchObject({ draft: false });
    expect(pull?.body).toContain("Proved in a clean room");
    // The gate's result where the agents worked, and its result in the other job.
    expect(pull?.body).toMatch(/\| T-001, T-002 \| `check` \| passed \| [^|]+ \| - \| passed \|/);
  },
);

test.runIf(hasBubblewrap && runsAll)(
  "work that only passes with an ignored file of the agents' machine is refuted and not pushed",
  async () => {
    await using github = await createActionProject({
      tasks: two,
      mayActionsOpenPulls: true,
      files: { ".gitignore": "cache/\n" },
      agent: '[ "$role" = review ] || { mkdir -p cache; touch cache/green; }; honest',
      gates: { faked: "test -e cache/green || [ ! -d src ]" },
    });
    await using result = await runCaller(github);
    expect(jobNamed(result, "Work").conclusion).toBe("success");
    expect(jobNamed(result, "Prove again").conclusion).toBe("failure");
    expect(result.jobs.map(({ name }) => name)).not.toContain("ralph / Publish");
    expect(result.conclusion).toBe("failure");
    // Begin has made the branch, at the start commit; nothing came to it.
    expect(github.remoteGit("log", "--format=%s", "main..ralph/example")).toBe("");
  },
);

test.runIf(hasBubblewrap && runsAll)(
  "without a passed task nothing is proved or pushed, and the workflow fails",
  async () => {
    await using github = await createActionProject({
      tasks: two,
      mayActionsOpenPulls: true,
      agent: { implementation: "signal task-done" },
      config: { limits: { max_iterations: 1 } },
    });
    await using result = await runCaller(github);
    expect(result.jobs.map(({ name }) => name)).not.toContain("ralph / Prove again");
    expect(jobNamed(result, "Publish").log.join("\n")).toContain("nothing to push");
    expect(result.conclusion).toBe("failure");
  },
);
