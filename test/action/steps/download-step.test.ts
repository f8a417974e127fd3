import { expect, test } from "vitest";
import { readHandoff } from "../../../src/action/inputs/step-handoff.ts";
import { downloadStep } from "../../../src/action/steps/download-step.ts";
import { stepContext } from "../../support/action/step.ts";
import { createFakeGitHub } from "../../support/github/fake-github.ts";
import { addressOf, inFakeTime } from "../../support/github/fake-time.ts";
import { createTestSystem } from "../../support/project/system.ts";

const bots = { job: "github-actions[bot]", app: "ralph-test[bot]" };

/** The numbers of the pull requests a job takes for ours: #1 was opened by the job's own account, #2 by the App's. */
async function knownTo(env: Record<string, string>): Promise<number[]> {
  const fake = createFakeGitHub({ repository: "octo/known" });
  for (const [index, login] of [bots.job, bots.app, "mallory"].entries()) {
    const number = index + 1;
    fake.state.pulls.push({
      ...{ number, node_id: `PR_${number}`, html_url: `https://g/${number}`, state: "open" },
      ...{ draft: true, title: "Ralph: x", user: { login, type: "Bot" }, merged_at: null },
      body: `<!-- ralph:run:20260120-10000${number}-abc123 item:x report:y -->`,
      head: { ref: `ralph/${number}`, sha: "c".repeat(40), repo: { full_name: "octo/known" } },
      base: { ref: "main", sha: "b".repeat(40), repo: { full_name: "octo/known" } },
      created_at: "2026-01-20T10:00:00Z",
    });
  }
  const job = { GITHUB_API_URL: addressOf(fake), GITHUB_REPOSITORY: "octo/known" };
  await using system = await createTestSystem({
    env: { ...job, GITHUB_EVENT_NAME: "workflow_dispatch", ...env },
  });
  const here = { ...system, env: { ...system.env, RUNNER_TEMP: system.root } };
  const context = stepContext(here, { inputs: { command: "autopilot" }, handed: "t0ken" });
  await inFakeTime([fake], () => downloadStep(context));
  return (await readHandoff(here, "facts.json")).pulls.map(({ number }) => number);
}

test("a job that publishes itself finds its own pull requests", async () => {
  expect(await knownTo({ GITHUB_ACTOR: bots.app })).toEqual([1]);
});

test("a job that the App started finds the App's pull requests", async () => {
  expect(await knownTo({ RALPH_PUBLISHER: "app", GITHUB_ACTOR: bots.app })).toEqual([2]);
});
