import { expect, test } from "vitest";
import { renderClaim } from "../../../src/github/claims/claim-note.ts";
import { digestOfIssue } from "../../../src/github/issues/issue-text.ts";
import { createWorkRequest, type WorkRequest } from "../../../src/schema/work-request.ts";
import { runsAll, thorough } from "../../setup/sampled.ts";
import {
  type AutopilotAction,
  autopilotCaller,
  calledJobs,
  createAutopilotAction,
  saidBy,
} from "../../support/action/autopilot.ts";
import type { FakeIssue } from "../../support/action/project.ts";
import { goodAnswer, reportText, say } from "../../support/autopilot/project.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";

const issue: FakeIssue = {
  ...{ number: 12, title: "The login form", body: reportText },
  ...{ html_url: "https://github.com/octo/example/issues/12", user: { login: "stranger" } },
};
/** The pull request has the document alone, which is enough to see what was chosen. */
const documentOnly = { prd: { mode: "interactive" } };
const writer = { permission: "write", role_name: "write" };

/** A maintainer labels the issue; `seen` is its text at that moment. */
function label(github: AutopilotAction, actor: string, seen: FakeIssue = issue) {
  github.issues.push(issue);
  const event = { action: "labeled", label: { name: "ralph" }, issue: { ...seen } };
  return github.go(autopilotCaller({ "issue-number": `\${{ github.event.issue.number }}` }), {
    github: { event_name: "issues", event, actor, triggering_actor: actor },
  });
}

/** Somebody starts the workflow by hand, for the issue and perhaps the reports. */
function dispatch(github: AutopilotAction, inputs: Record<string, string> = {}) {
  return github.go(autopilotCaller({ "issue-number": "12", ...inputs }), {
    github: { event_name: "workflow_dispatch", actor: "ada", triggering_actor: "ada" },
  });
}

async function openPull(github: AutopilotAction): Promise<void> {
  github.state.permissions.ada = writer;
  await using first = await label(github, "ada");
  expect(first.conclusion, saidBy(first, "Work")).toBe("success");
  expect(github.state.pulls).toMatchObject([{ body: expect.stringMatching(/#12\b/) }]);
  expect(github.claim("issue-12")).toMatchObject({ state: "released" });
}

test.runIf(hasBubblewrap && runsAll)(
  "an issue labelled by a writer becomes a pull request",
  async () => {
    await using github = await createAutopilotAction({ autopilot: documentOnly });
    await openPull(github);
  },
);

test.runIf(hasBubblewrap && runsAll)(
  "an issue labelled by a writer becomes a pull request; once that is closed, only a command starts another one",
  async () => {
    await using github = await createAutopilotAction({ autopilot: documentOnly });
    await openPull(github);
    const [pull] = github.state.pulls;
    if (pull) pull.state = "closed";
    await using labelled = await label(github, "ada");
    expect(saidBy(labelled, "Work")).toContain("Issue 12 was worked on before");
    await using commanded = await dispatch(github);
    expect(commanded.conclusion, saidBy(commanded, "Work")).toBe("success");
    expect(github.state.pulls).toMatchObject([
      { state: "closed" },
      { state: "open", body: expect.stringMatching(/#12\b/) },
    ]);
  },
);

test.runIf(hasBubblewrap && runsAll)(
  "a choice among reports and an issue is reported, and only a chosen issue is closed",
  async () => {
    const turns = [say({ ...goodAnswer, document: 1 })];
    await using github = await createAutopilotAction({ turns, autopilot: documentOnly });
    github.issues.push(issue);
    await using result = await dispatch(github, { "reports-dir": "reports" });
    expect(result.conclusion, saidBy(result, "Claim")).toBe("success");
    expect(saidBy(result, "Work")).toMatch(/Analyzing reports\/weekly\S+, reports\/issue-12\.md/);
    expect(github.state.pulls).toMatchObject([{ body: expect.not.stringMatching(/#12\b/) }]);
    expect(github.claim("reports")).toMatchObject({
      ...{ state: "released", request: { alternativeIssue: 12 } },
    });
  },
);

test("a label by a user without write access stops before any agent, and claims nothing", async () => {
  await using github = await createAutopilotAction();
  github.state.permissions.eve = { permission: "read", role_name: "triage" };
  await using result = await label(github, "eve");
  expect([...calledJobs(result).keys()]).toEqual(["Claim"]);
  expect(calledJobs(result).get("Claim")?.conclusion).toBe("failure");
  expect(saidBy(result, "Claim")).toContain("eve may not start agents");
  expect(github.remoteGit("for-each-ref", "refs/ralph")).toBe("");
  expect(github.model.asks).toEqual([]);
});

thorough(
  "an issue that was edited after its label is refused, and the claim is released",
  async () => {
    await using github = await createAutopilotAction();
    github.state.permissions.ada = writer;
    await using result = await label(github, "ada", { ...issue, body: "Something harmless." });
    expect(result.conclusion).toBe("failure");
    expect(saidBy(result, "Work")).toContain("Issue 12 was edited after it was labelled.");
    expect(github.model.asks).toEqual([]);
    expect(github.claim("issue-12")).toMatchObject({ state: "released" });
  },
);

/** Starts the workflow as the App does: all it hands over is the claim it has made. */
function startAsApp(github: AutopilotAction, request: WorkRequest) {
  github.issues.push(issue);
  const { item } = request;
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const note = renderClaim({ holder: "app-1", url: "", expires_at, state: "held", item, request });
  const commit = github.remoteGit("commit-tree", "-m", note, "main^{tree}");
  github.remoteGit("update-ref", `refs/ralph/claims/${item}`, commit);
  const number = /^issue-(\d+)$/.exec(item)?.[1];
  const claim = `${item}:${commit}`;
  return github.go(autopilotCaller({ claim, ...(number && { "issue-number": number }) }), {
    github: { event_name: "workflow_dispatch", actor: "ada", triggering_actor: "ada" },
  });
}

thorough("an issue that was edited after the request to the App is refused", async () => {
  await using github = await createAutopilotAction();
  const request = createWorkRequest({
    ...{ command: "run", item: "issue-12", issue: 12, trigger: "label" },
    textDigest: digestOfIssue({ ...issue, body: "Something harmless." }),
  });
  await using result = await startAsApp(github, request);
  expect(saidBy(result, "Work")).toContain("Issue 12 was edited after it was requested.");
  expect(github.model.asks).toEqual([]);
  expect(github.claim("issue-12")).toMatchObject({ state: "released", request });
});

test.runIf(hasBubblewrap && runsAll)(
  "an autopilot that the App started for an issue learns from the claim that it may choose the issue",
  async () => {
    const turns = [say({ ...goodAnswer, document: 2 })];
    await using github = await createAutopilotAction({ turns, autopilot: documentOnly });
    const request = createWorkRequest({
      ...{ command: "autopilot", item: "reports", trigger: "autopilot-label" },
      ...{ issue: 12, alternativeIssue: 12, textDigest: digestOfIssue(issue) },
    });
    await using result = await startAsApp(github, request);
    expect(result.conclusion, saidBy(result, "Work")).toBe("success");
    expect(github.state.pulls).toMatchObject([{ body: expect.stringMatching(/#12\b/) }]);
    expect(github.claim("reports")).toMatchObject({
      ...{ state: "released", request: { alternativeIssue: 12 } },
    });
  },
);
