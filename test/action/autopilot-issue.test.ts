import { expect, test } from "vitest";
import type { FakeIssue } from "../support/action-project.ts";
import {
  type AutopilotAction,
  autopilotCaller,
  calledJobs,
  createAutopilotAction,
  saidBy,
} from "../support/autopilot-action.ts";
import { reportText } from "../support/autopilot-project.ts";
import { hasBubblewrap } from "../support/sandbox.ts";

const timeout = 120_000;
const issue: FakeIssue = {
  ...{ number: 12, title: "The login form", body: reportText },
  ...{ html_url: "https://github.com/octo/example/issues/12", user: { login: "stranger" } },
};
const writer = { permission: "write", role_name: "write" };

/** Somebody gives the issue its label; `seen` is what it said then. */
function label(github: AutopilotAction, actor: string, seen: FakeIssue = issue) {
  github.issues.push(issue);
  const event = { action: "labeled", label: { name: "ralph" }, issue: { ...seen } };
  return github.go(autopilotCaller({ "issue-number": `\${{ github.event.issue.number }}` }), {
    github: { event_name: "issues", event, actor, triggering_actor: actor },
  });
}

test.runIf(hasBubblewrap)(
  "an issue that was labelled by somebody who may write becomes a pull request that refers to it",
  async () => {
    await using github = await createAutopilotAction();
    github.state.permissions.ada = writer;
    await using result = await label(github, "ada");
    expect(result.conclusion, saidBy(result, "Work")).toBe("success");
    expect(github.state.pulls).toMatchObject([
      { draft: false, body: expect.stringMatching(/#12\b/) },
    ]);
    expect(calledJobs(result).get("Work")?.summary).toContain("sandbox bubblewrap");
    expect(github.claim("issue-12")).toMatchObject({ state: "released" });
  },
  timeout,
);

test(
  "a label by somebody who may not write stops before any agent, and nothing is claimed",
  async () => {
    await using github = await createAutopilotAction();
    github.state.permissions.eve = { permission: "read", role_name: "triage" };
    for (const actor of ["eve", "nobody", "other[bot]"]) {
      await using result = await label(github, actor);
      expect([...calledJobs(result).keys()]).toEqual(["Claim"]);
      expect(calledJobs(result).get("Claim")?.conclusion).toBe("failure");
      expect(saidBy(result, "Claim")).toContain(`${actor} may not start agents`);
    }
    expect(github.remoteGit("for-each-ref", "refs/ralph")).toBe("");
    expect(github.model.asks).toEqual([]);
  },
  timeout,
);

test(
  "an issue that was edited after its label is not read for it, and the claim is given back",
  async () => {
    await using github = await createAutopilotAction();
    github.state.permissions.ada = writer;
    await using result = await label(github, "ada", { ...issue, body: "Something harmless." });
    expect(result.conclusion).toBe("failure");
    expect(saidBy(result, "Work")).toContain("Issue 12 was edited after it was given the label.");
    expect(github.model.asks).toEqual([]);
    expect(github.claim("issue-12")).toMatchObject({ state: "released" });
  },
  timeout,
);
