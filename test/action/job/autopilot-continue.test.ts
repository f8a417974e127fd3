import { expect, test } from "vitest";
import { runsAll } from "../../setup/sampled.ts";
import {
  autopilotCaller,
  calledJobs,
  createAutopilotAction,
  saidBy,
} from "../../support/action/autopilot.ts";
import { goodAgent, itemBranch } from "../../support/autopilot/project.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";

const goOn = { runId: "1002", inputs: { "resume-from": "1001" } };

/** A limit that ends after this job's minute is over; the clock of the next run is a minute ahead. */
const limited = `if [ "$task" = T-002 ] && [ ! -e again/$task ]; then
  mkdir -p again; : >again/$task
  echo "Claude AI usage limit reached|$(($(date +%s) + 58))"; exit 1
fi
${goodAgent.implementation}`;

test.runIf(hasBubblewrap && runsAll)(
  "a run out of time hands its claim to its continuation, and only that one releases it",
  async () => {
    await using github = await createAutopilotAction({
      agent: { implementation: limited },
      autopilot: { memory: { archive: false } },
    });
    await using first = await github.go(autopilotCaller({ "timeout-minutes": "1" }));
    expect(first.conclusion, saidBy(first, "Publish")).toBe("success");
    expect(calledJobs(first).get("Work")?.outputs).toMatchObject({ "exit-code": "23" });
    expect(github.dispatched.map(({ body }) => body)).toEqual([
      { ref: "main", inputs: { "resume-from": "1001" } },
    ]);
    expect(github.claim("reports")).toMatchObject({ holder: "1001", state: "held" });
    expect(github.state.pulls).toMatchObject([{ draft: true, head: { ref: itemBranch } }]);

    const later = { ...goOn, env: { SHIFT_SECONDS: "60" } };
    await using second = await github.go(autopilotCaller(), later);
    expect(second.conclusion, saidBy(second, "Work")).toBe("success");
    expect(github.state.pulls).toMatchObject([{ draft: false, head: { ref: itemBranch } }]);
    expect(github.claim("reports")).toMatchObject({ holder: "1002", state: "released" });
    const subjects = github.remoteGit("log", "--format=%s", `main..${itemBranch}`);
    expect(subjects.match(/(?<=feat\()T-\d+/g)).toEqual(["T-002", "T-001"]);
  },
);

test.runIf(hasBubblewrap && runsAll)(
  "in interactive mode a draft with the document alone waits for its reader, and continues as the same pull request",
  async () => {
    await using github = await createAutopilotAction({
      autopilot: { prd: { mode: "interactive" }, tasks: { min_count: 2, max_count: 2 } },
    });
    await using first = await github.go(autopilotCaller());
    expect(first.conclusion, saidBy(first, "Publish")).toBe("success");
    expect([...calledJobs(first).keys()]).toEqual(["Claim", "Work", "Publish"]);
    expect(github.state.pulls).toMatchObject([{ draft: true, head: { ref: itemBranch } }]);
    expect(github.remoteGit("log", "--format=%s", `main..${itemBranch}`)).toBe(
      "docs: add PRD for Repair the login form",
    );
    expect(saidBy(first, "Work")).toContain("resume-from: 1001");
    expect(github.claim("reports")).toMatchObject({ state: "released" });

    await using second = await github.go(autopilotCaller(), goOn);
    expect(second.conclusion, saidBy(second, "Work")).toBe("success");
    expect(github.state.pulls).toMatchObject([{ draft: false, head: { ref: itemBranch } }]);
    const subjects = github.remoteGit("log", "--format=%s", `main..${itemBranch}`);
    expect(subjects.match(/(?<=feat\()T-\d+/g)).toEqual(["T-002", "T-001"]);
  },
);
