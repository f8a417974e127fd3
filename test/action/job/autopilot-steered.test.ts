import { expect, test } from "vitest";
import { runsAll } from "../../setup/sampled.ts";
import type { AutopilotAction } from "../../support/action/autopilot.ts";
import { autopilotCaller, createAutopilotAction, saidBy } from "../../support/action/autopilot.ts";
import { goodAgent, itemBranch } from "../../support/autopilot/project.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";

/** The second task fails as long as nobody tells the agents how to do it. */
const clueless = `case "$task:$prompt" in
T-002:*"Use the new parser."*) ;;
T-002:*) exit 0 ;;
esac
${goodAgent.implementation}`;

function comment({ state }: AutopilotAction, id: number, words: string, login = "ada"): void {
  const body = `/ralph ${words}\nSee above.`;
  const html_url = `https://github.com/octo/example/issues/1#issuecomment-${id}`;
  state.comments.push({ id, issue: 1, html_url, body, user: { login, type: "User" } });
}

const goOn = (from: number, orders: string) => ({
  runId: String(from + 1),
  inputs: { "resume-from": String(from), orders },
});

test.runIf(hasBubblewrap && runsAll)(
  "comments of writers steer a continued session: a failed task is retried with a hint",
  async () => {
    await using github = await createAutopilotAction({
      agent: { implementation: clueless },
      autopilot: { memory: { archive: false } },
      config: { limits: { max_iterations: 1 } },
    });
    github.state.permissions.ada = { permission: "write", role_name: "write" };
    await using first = await github.go(autopilotCaller());
    expect(saidBy(first, "Work")).toContain("Failed: T-002");
    expect(github.state.pulls).toMatchObject([{ draft: true, head: { ref: itemBranch } }]);

    comment(github, 7, "skip T-002");
    comment(github, 8, "hint Use the old parser.", "mallory");
    comment(github, 9, "hint Use the new parser.");
    comment(github, 10, "retry T-002");
    await using second = await github.go(autopilotCaller(), goOn(1001, "7,8,9,10,404"));
    expect(second.conclusion, saidBy(second, "Publish")).toBe("success");
    const work = saidBy(second, "Work");
    expect(work).toContain("Comments: accepted 3 of 5 commands.");
    expect(work).toMatch(/Comment 8 is ignored: mallory has no write access/);
    const [pull] = github.state.pulls;
    expect(pull, work).toMatchObject({ draft: false });
    expect(pull?.body).toContain("Command: hint by ada: Use the new parser.");
    const subjects = github.remoteGit("log", "--format=%s", `main..${itemBranch}`);
    expect(subjects.match(/(?<=feat\()T-\d+/g)).toEqual(["T-002", "T-001"]);
  },
);
