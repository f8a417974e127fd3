import { existsSync } from "node:fs";
import { expect } from "vitest";
import { isMeasured, thorough } from "../setup/sampled.ts";
import { createActionProject } from "../support/action/project.ts";
import { innerSteps, onlyJob, outputsOf, stepWorkflow } from "../support/action/workflow.ts";
import { task } from "../support/builders/session.ts";

const three = ["T-001", "T-002", "T-003"].map((id) => task(id));

thorough(
  "a cancelled job keeps its session, and another run continues it without repeating passed tasks",
  async () => {
    await using github = await createActionProject({
      tasks: three,
      agent: `[ -z "$CALLS" ] || echo "$task $role" >>"$CALLS"
if [ "$task $role" = "T-002 implementation" ] && [ ! -e "$CALLS.again" ]; then
  : >"$CALLS.again"; echo waiting; sleep 600
fi
honest`,
      agents: { env: ["CALLS"] },
    });
    const calls = `${github.project.folder}/calls`;
    // On a busy machine the runner asks only once, by SIGINT.
    const patience = isMeasured ? {} : { interruptMs: 280_000 };
    const running = await github.start(stepWorkflow(), { env: { CALLS: calls }, patience });
    await using _ = running;
    await waitFor(() => existsSync(`${calls}.again`));
    const cancelledAt = performance.now();
    running.cancel();
    const first = await running.result;
    if (isMeasured) expect(performance.now() - cancelledAt).toBeLessThan(7500);
    const [job] = first.jobs;
    expect(first.conclusion).toBe("cancelled");
    expect(job && outputsOf(job)).toMatchObject({ "stop-reason": "cancelled", "exit-code": "7" });
    expect(job && innerSteps(job)).toMatchObject({ "Keep the session": "success" });
    expect(job?.orphans).toEqual([]);
    expect(github.remoteGit("rev-list", "main..ralph/example")).toBe("");
    github.keep("1001", first.artifacts);

    await using second = await github.run(stepWorkflow(), {
      runId: "1002",
      inputs: { "resume-from": "1001" },
      env: { CALLS: calls },
    });
    const resumed = onlyJob(second);
    expect(resumed.log.join("\n")).toContain("3/3 tasks passed");
    expect(second.conclusion).toBe("success");
    const seen = github.project.system.files(github.project.folder);
    const lines = String(await seen.read("calls"))
      .trim()
      .split("\n");
    expect(lines.filter((line) => line === "T-001 implementation")).toHaveLength(1);
    expect(lines.filter((line) => line === "T-002 implementation")).toHaveLength(2);
    const subjects = github.remoteGit("log", "--format=%s", "main..ralph/example");
    expect(subjects.match(/(?<=feat\()T-\d+/g)).toEqual(["T-003", "T-002", "T-001"]);
  },
);

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A limit that ends after this job's minute is over; the clock of the next run is a minute ahead. */
const limited = `if [ "$task $role" = "T-002 implementation" ] && [ ! -e "$CALLS.again" ]; then
  : >"$CALLS.again"; echo "Claude AI usage limit reached|$(($(date +%s) + 58))"; exit 1
fi
honest`;

thorough(
  "a job out of time succeeds once it has started the continuation, and names it",
  async () => {
    await using github = await createActionProject({
      tasks: three,
      agent: limited,
      agents: { env: ["CALLS"] },
    });
    const env = { CALLS: `${github.project.folder}/calls` };
    await using first = await github.run(stepWorkflow({ "timeout-minutes": "1" }), { env });
    const job = onlyJob(first);
    expect(outputsOf(job)).toMatchObject({ "stop-reason": "checkpoint", "exit-code": "23" });
    expect(github.dispatched.map(({ path, body }) => ({ path, body }))).toEqual([
      {
        path: expect.stringMatching(/\/actions\/workflows\/ralph\.yml\/dispatches$/),
        body: { ref: "main", inputs: { "resume-from": "1001" } },
      },
    ]);
    expect(first.conclusion).toBe("success");

    await using second = await github.run(stepWorkflow(), {
      runId: "1002",
      inputs: { "resume-from": "1001" },
      env: { ...env, SHIFT_SECONDS: "60" },
    });
    expect(second.conclusion).toBe("success");
    expect(outputsOf(onlyJob(second))).toMatchObject({
      status: "completed",
      "tasks-completed": "3",
    });
  },
);

thorough("a job out of time that cannot be continued fails, and shows the command", async () => {
  await using github = await createActionProject({
    tasks: three,
    agent: limited,
    agents: { env: ["CALLS"] },
    config: { limits: { max_continuations: 0 } },
  });
  const env = { CALLS: `${github.project.folder}/calls` };
  await using result = await github.run(stepWorkflow({ "timeout-minutes": "1" }), { env });
  expect(result.conclusion).toBe("failure");
  expect(github.dispatched).toEqual([]);
  const said = onlyJob(result).annotations.map(({ message }) => message);
  expect(said.join("\n")).toContain("gh workflow run ralph.yml --ref main -f resume-from=1001");
});
