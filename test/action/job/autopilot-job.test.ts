import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { renderPullMarker } from "../../../src/views/pull-request/pull-marker.ts";
import { sampled, thorough } from "../../setup/sampled.ts";
import {
  type AutopilotAction,
  createAutopilotAction,
  saidIn,
} from "../../support/action/autopilot.ts";
import type { Started } from "../../support/action/project.ts";
import { innerSteps, onlyJob, outputsOf, stepWorkflow } from "../../support/action/workflow.ts";
import { itemBranch, reportPath, say } from "../../support/autopilot/project.ts";

const key = { "anthropic-api-key": `\${{ secrets.ANTHROPIC_API_KEY }}` };

/** One job with everything in it. */
async function run(github: AutopilotAction, given: Record<string, string> = {}, more?: Started) {
  const all = { command: "autopilot", "create-pr": "true", ...key, ...given };
  const result = await github.go(stepWorkflow(all), more);
  const job = onlyJob(result);
  return { result, job, said: saidIn(job), outputs: outputsOf(job) };
}

thorough(
  "one job plans, works and opens a pull request, which stays a draft without a clean room",
  async () => {
    await using github = await createAutopilotAction();
    const { result, job, said, outputs } = await run(github);
    await using _ = result;
    expect(said).toContain("2/2 tasks passed");
    expect(result.conclusion, said).toBe("success");
    expect(outputs).toMatchObject({
      ...{ status: "completed", "stop-reason": "all_done", "exit-code": "0", branch: itemBranch },
      ...{ "tasks-total": "2", "pr-number": "1", "run-id": expect.stringMatching(/^\d{8}-\d{6}-/) },
      "run-record": expect.stringContaining(`.ralph/autopilot/runs/${outputs["run-id"]}.json`),
    });
    expect(github.state.pulls).toMatchObject([{ draft: true, head: { ref: itemBranch } }]);
    expect(job.summary).toMatch(
      /\*\*From\*\*: `reports\/weekly-review-20260120\.md, lines 3 to 4`/,
    );
    expect(readdirSync(result.artifacts)).toEqual(["ralph-session-1001-1"]);
    expect(job.orphans).toEqual([]);
  },
);

thorough(
  "a failed analysis fails the job, names its run, and keeps it for a continuation",
  async () => {
    await using github = await createAutopilotAction({ turns: [say("I would rather not.")] });
    const { result, job, said, outputs } = await run(github);
    await using _ = result;
    expect(result.conclusion).toBe("failure");
    expect(outputs).toMatchObject({
      ...{ status: "failed", "stop-reason": "analysis", "exit-code": "11" },
      "run-id": expect.stringMatching(/^\d{8}-\d{6}-/),
    });
    expect(said).toContain("resume-from: 1001");
    expect(innerSteps(job)).toMatchObject({ "Keep the session": "success" });
    expect(innerSteps(job)).not.toHaveProperty("Push the branch");
    expect(github.remoteGit("branch", "--list", "ralph/*")).toBe("");
  },
);

const quiet: [title: string, given: Record<string, string>, more: Started, says: RegExp][] = [
  ["no report that was not worked on", { "reports-dir": "notes" }, {}, /no new report in notes/],
  [
    "a schedule that is switched off",
    {},
    { github: { event_name: "schedule" } },
    /`autopilot\.enabled` is false/,
  ],
];

test.each(sampled(quiet, 1))(
  "%s ends the job with success and a notice, and calls no model",
  async (_, given, more, says) => {
    await using github = await createAutopilotAction({ autopilot: { enabled: false } });
    const { result, job, said, outputs } = await run(github, given, more);
    await using __ = result;
    expect(result.conclusion, said).toBe("success");
    expect(outputs).toMatchObject({ status: "nothing_to_do" });
    expect(job.annotations).toMatchObject([
      { level: "notice", message: expect.stringMatching(says) },
    ]);
    expect(job.summary).toMatch(says);
    expect(github.model.asks).toEqual([]);
    expect(readdirSync(result.artifacts)).toEqual([]);
  },
);

thorough("a named report that is missing fails the job", async () => {
  await using github = await createAutopilotAction();
  const { result, outputs } = await run(github, { report: "reports/none.md" });
  await using _ = result;
  expect(result.conclusion).toBe("failure");
  expect(outputs).toMatchObject({ "stop-reason": "no_report", "exit-code": "10" });
});

thorough(
  "while a ralph pull request waits for review nothing is planned, and the job names it",
  async () => {
    await using github = await createAutopilotAction();
    const marker = { run: "20260120-100000-abc123" };
    const side = { ref: "ralph/x", sha: "0".repeat(40), repo: { full_name: "octo/example" } };
    github.state.pulls.push({
      ...{ number: 3, node_id: "PR_3", html_url: "https://github.com/octo/example/pull/3" },
      ...{ state: "open", draft: false, title: "Ralph: x", body: renderPullMarker(marker) },
      ...{ user: { login: "github-actions[bot]", type: "Bot" }, head: side },
      ...{ base: { ...side, ref: "main" }, created_at: "2026-01-20T10:00:00Z", merged_at: null },
    });
    const { result, said, outputs } = await run(github);
    await using _ = result;
    expect(result.conclusion, said).toBe("success");
    expect(outputs).toMatchObject({ status: "nothing_to_do", "exit-code": "0" });
    expect(said).toContain("https://github.com/octo/example/pull/3");
    expect(github.model.asks).toEqual([]);
  },
);

thorough("a dry run shows its choice and leaves nothing", async () => {
  await using github = await createAutopilotAction();
  const { result, said } = await run(github, { "dry-run": "true" });
  await using _ = result;
  expect(result.conclusion, said).toBe("success");
  expect(said).toContain("Would work on: Repair the login form");
  expect(readdirSync(result.artifacts)).toEqual([]);
  expect(github.remoteGit("branch", "--list", "ralph/*")).toBe("");
  expect(github.project.git("ls-files", reportPath)).toBe(reportPath);
});

test("without a key it stops before the first call, and the remedy names the inputs", async () => {
  await using github = await createAutopilotAction();
  const { result, job } = await run(
    github,
    { "anthropic-api-key": "" },
    // Whoever names an address may have a reason to need no key.
    { env: { ANTHROPIC_BASE_URL: "" } },
  );
  await using _ = result;
  expect(result.conclusion).toBe("failure");
  expect(job.annotations[0]?.message).toMatch(/no model key for analysis[\s\S]*`openai-api-key`/);
});

thorough("a job without a claim checks who may start agents, too", async () => {
  await using github = await createAutopilotAction();
  github.state.permissions.eve = { permission: "read", role_name: "triage" };
  const by = { event_name: "issues", actor: "eve", triggering_actor: "eve" };
  const { result, said, outputs } = await run(github, {}, { github: by });
  await using _ = result;
  expect(said).toContain("eve may not start agents");
  expect(outputs).toMatchObject({ "stop-reason": "config", "exit-code": "1" });
  expect(github.model.asks).toEqual([]);
});
