import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseHandedProof } from "../../../src/github/artifacts/handed-proof.ts";
import { runsAll } from "../../setup/sampled.ts";
import {
  type AutopilotAction,
  autopilotCaller,
  calledJobs,
  createAutopilotAction,
  saidBy,
} from "../../support/action/autopilot.ts";
import { itemBranch, reportPath } from "../../support/autopilot/project.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";

const titles = ["Claim", "Work", "Prove again", "Publish"];
const bare = { contents: "read" };

/** The whole way from a report to its pull request. */
async function openPull(github: AutopilotAction): Promise<void> {
  await using result = await github.go(autopilotCaller());
  const jobs = calledJobs(result);
  expect([...jobs.keys()]).toEqual(titles);
  expect(result.conclusion, saidBy(result, "Publish")).toBe("success");
  expect(jobs.get("Claim")?.permissions).toEqual({ contents: "write", "pull-requests": "write" });
  const reads = { issues: "read", "pull-requests": "read", actions: "read" };
  expect(jobs.get("Work")?.permissions).toEqual({ ...bare, ...reads });
  expect(jobs.get("Prove again")?.permissions).toEqual(bare);
  const page = jobs.get("Work")?.summary;
  expect(page).toContain("**What**: Repair the login form");
  expect(page).toContain("sandbox bubblewrap");
  expect(github.state.pulls).toMatchObject([
    {
      draft: false,
      title: "Ralph: Repair the login form",
      head: { ref: itemBranch },
      body: expect.stringContaining(reportPath),
    },
  ]);
  const subjects = github.remoteGit("log", "--format=%s", `main..${itemBranch}`).split("\n");
  expect(subjects).toEqual([
    expect.stringMatching(/^chore\(ralph\): run record of /),
    ...["T-002", "T-001"].map((id) => expect.stringContaining(`feat(${id})`)),
    "chore: add prd.json tasks for Repair the login form",
    "docs: add PRD for Repair the login form",
  ]);
  const last = github.remoteGit("diff", "--name-only", `${itemBranch}^`, itemBranch).split("\n");
  expect(last).toContainEqual(
    expect.stringMatching(/^\.ralph\/archive\/\d+-login-form\/prd\.json$/),
  );
  expect(last.at(-1)).toMatch(/^\.ralph\/autopilot\/runs\/.*\.json$/);
  expect(github.claim("reports")).toMatchObject({ holder: "1001", state: "released" });
}

test.runIf(hasBubblewrap && runsAll)(
  "a report becomes one pull request, ready once it is proved, and a second run succeeds without work",
  async () => {
    await using github = await createAutopilotAction();
    await openPull(github);
    const pull = github.state.pulls[0];
    if (pull) Object.assign(pull, { state: "closed", merged_at: new Date().toISOString() });
    const asked = github.model.asks.length;
    await using again = await github.go(autopilotCaller(), { runId: "1002" });
    expect(again.conclusion, saidBy(again, "Work")).toBe("success");
    expect([...calledJobs(again).keys()]).toEqual(["Claim", "Work", "Publish"]);
    expect(calledJobs(again).get("Work")?.outputs).toMatchObject({
      ...{ status: "nothing_to_do", "stop-reason": "no_report", "exit-code": "10" },
    });
    expect(github.model.asks).toHaveLength(asked);
    expect(github.state.pulls).toHaveLength(1);
    expect(github.claim("reports")).toMatchObject({ holder: "1002", state: "released" });
  },
);

test.runIf(hasBubblewrap && runsAll)(
  "while a run works on the reports, a second one stops at the claim with exit 24 and changes nothing",
  async () => {
    // The document alone is enough to see who works on the reports.
    await using github = await createAutopilotAction({
      autopilot: { prd: { mode: "interactive" } },
    });
    let second: Promise<void> | undefined;
    const started = async () => {
      await using result = await github.go(autopilotCaller(), { runId: "1002" });
      expect([...calledJobs(result).keys()]).toEqual(["Claim"]);
      expect(saidBy(result, "Claim")).toMatch(/1001/);
      expect(result.conclusion).toBe("failure");
    };
    const onLine = (line: string) => {
      if (line.includes("Claimed ")) second ??= started();
    };
    await using first = await github.go(autopilotCaller(), { onLine });
    await second;
    expect(second).toBeDefined();
    expect(first.conclusion, saidBy(first, "Publish")).toBe("success");
    expect(github.state.pulls).toHaveLength(1);
    expect(github.claim("reports")).toMatchObject({ holder: "1001", state: "released" });
  },
);

test.runIf(hasBubblewrap && runsAll)(
  "a run of ralph's App leaves session and proof, publishes nothing itself, and keeps the claim",
  async () => {
    await using github = await createAutopilotAction();
    await using result = await github.go(autopilotCaller({ publisher: "app" }));
    expect([...calledJobs(result).keys()]).toEqual(["Claim", "Work", "Prove again"]);
    expect(result.conclusion, saidBy(result, "Prove again")).toBe("success");
    const left = ["ralph-proof-1001-1", "ralph-session-1001-1"];
    expect(readdirSync(result.artifacts)).toEqual(left);
    expect(readdirSync(join(result.artifacts, "ralph-proof-1001-1"))).toEqual(["proof.json"]);
    const proof = readFileSync(join(result.artifacts, "ralph-proof-1001-1/proof.json"), "utf8");
    const digest = calledJobs(result).get("Work")?.outputs["journal-digest"];
    expect(parseHandedProof(proof.trim())).toMatchObject({ kind: "proved", journal: digest });
    expect(github.claim("reports")).toMatchObject({ holder: "1001", state: "held" });
    expect(github.state.pulls).toEqual([]);
  },
);

test.runIf(hasBubblewrap && runsAll)(
  "a cancelled workflow keeps its session and releases the claim",
  async () => {
    await using github = await createAutopilotAction({ agent: "sleep 60" });
    let cancel = () => {};
    const onLine = (line: string) => {
      if (line.includes("implementation started")) setTimeout(() => cancel(), 200);
    };
    await using running = await github.begin(autopilotCaller(), { onLine });
    cancel = running.cancel;
    const result = await running.result;
    expect(result.conclusion).toBe("cancelled");
    expect([...calledJobs(result).keys()]).toEqual(["Claim", "Work", "Publish"]);
    expect(calledJobs(result).get("Work")?.outputs).toMatchObject({ "exit-code": "7" });
    expect(readdirSync(result.artifacts)).toEqual(["ralph-session-1001-1"]);
    expect(github.claim("reports")).toMatchObject({ state: "released" });
    expect(github.state.pulls).toEqual([]);
  },
);
