import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createActionProject } from "../support/action/project.ts";
import { innerSteps, onlyJob, outputsOf, stepWorkflow } from "../support/action/workflow.ts";
import { task } from "../support/builders/session.ts";
import type { Script, Turn } from "../support/model-server/script.ts";
import { startModelServer } from "../support/model-server/server.ts";
import { claude, programs } from "./real-agent.ts";

const ids = ["T-001", "T-002", "T-003"];

const implement = (id: string): Turn[] => [
  { say: `I write ${id}.`, do: [{ write: `src/${id}.txt`, text: `${id}\n` }] },
  { say: `${id} is written.\n{done}` },
];
const writeTests = (id: string): Turn[] => [
  { do: [{ write: `tests/${id}.test.txt`, text: "a test\n" }] },
  { say: "It is tested.\n{tests}" },
];

const script: Script = {
  implementation: ids.flatMap(implement),
  test_writing: ids.flatMap(writeTests),
  review: [{ say: "{approved}" }],
};

const key = "sk-ant-no-real-key";
const workflow = stepWorkflow({ "anthropic-api-key": `\${{ secrets.ANTHROPIC_API_KEY }}` });

/** A repository on GitHub whose workflow calls the real program, and the model behind it. */
async function createScene(turns: Script) {
  const server = await startModelServer(claude.dialect, turns);
  const role = { driver: claude.driver };
  const github = await createActionProject({
    tasks: ids.map((id) => task(id)),
    agents: { implementation: role, test_writing: role, review: role },
  });
  const runner = {
    secrets: { ANTHROPIC_API_KEY: key },
    env: {
      PATH: `${programs}${delimiter}${process.env.PATH}`,
      ANTHROPIC_BASE_URL: server.url,
    },
  };
  /** How often the model was asked for a task in a role. */
  const asked = (id: string, ofRole: string) =>
    server.asks.filter(({ role, prompt }) => role === ofRole && isFor(prompt, id)).length;
  return {
    github,
    server,
    runner,
    asked,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await github[Symbol.asyncDispose]();
    },
  };
}

const isFor = (prompt: string, id: string) => prompt.includes(`# Your task: ${id} `);

/** Every task was implemented by two questions, tested by two and reviewed by one. */
const onceEach = ids.map((id) => [id, 2, 2, 1]);

describe.skipIf(programs === "")("the action with the real claude", () => {
  test("works through a list in a fresh clone, reports and keeps its session, and pushes the branch", async () => {
    await using scene = await createScene(script);
    const { github, runner, asked } = scene;
    const startedAt = performance.now();
    await using result = await github.run(workflow, runner);
    console.info(`the whole composite action: ${Math.round(performance.now() - startedAt)} ms`);
    const job = onlyJob(result);
    expect(job.log.join("\n")).toContain("3/3 tasks passed");
    expect(result.conclusion).toBe("success");
    expect(outputsOf(job)).toMatchObject({
      status: "completed",
      "stop-reason": "all_done",
      "exit-code": "0",
      "tasks-completed": "3",
      "tasks-total": "3",
      iterations: "3",
      "cost-usd": expect.stringMatching(/^0\.\d+$/),
      branch: "ralph/example",
      "journal-digest": expect.stringMatching(/^\d+:[0-9a-f]{64}$/),
    });
    expect(job.summary).toContain("3 of 3 tasks passed");
    for (const id of ids) expect(job.summary).toContain(`Title of ${id}`);
    expect(job.annotations).toEqual([]);
    expect(innerSteps(job)).toEqual({
      "Find Node 24": "success",
      Begin: "success",
      Prepare: "success",
      Sandbox: "success",
      "Work through the tasks": "success",
      "Seal the session": "success",
      "Keep the session": "success",
      "Push the branch": "success",
    });
    expect(readdirSync(result.artifacts)).toEqual(["ralph-session-1001-1"]);
    const artifact = join(result.artifacts, "ralph-session-1001-1");
    const parts = ["evidence", "journal.jsonl", "objects.pack", "report.html"];
    expect(readdirSync(artifact).sort()).toEqual(parts);
    const subjects = github.remoteGit("log", "--format=%s", "main..ralph/example");
    expect(subjects.match(/(?<=feat\()T-\d+/g)).toEqual(ids.toReversed());
    expect(github.remoteGit("show", "ralph/example:src/T-002.txt")).toBe("T-002");
    expect(askedFor(asked)).toEqual(onceEach);
    expect([...job.rawLog, job.summary].join("\n")).not.toContain(key);
    expect(job.orphans).toEqual([]);
  });

  test("is cancelled in the middle, and another run continues in a fresh clone without repeating passed tasks", async () => {
    const [first, ...others] = ids.map(implement);
    const hang: Turn = { say: "I begin with", breaks: "hang" };
    const turns = [...(first ?? []), hang, ...others.flat()];
    await using scene = await createScene({ ...script, implementation: turns });
    const { github, runner, asked } = scene;
    await using running = await github.start(workflow, runner);
    while (asked("T-002", "implementation") === 0) await sleep(20);
    running.cancel();
    const cancelled = await running.result;
    const [job] = cancelled.jobs;
    expect(cancelled.conclusion).toBe("cancelled");
    expect(job && outputsOf(job)).toMatchObject({
      status: "aborted",
      "stop-reason": "cancelled",
      "exit-code": "7",
      "tasks-completed": "1",
    });
    expect(job && innerSteps(job)).toMatchObject({
      "Work through the tasks": "cancelled",
      "Seal the session": "success",
      "Keep the session": "success",
    });
    expect(job?.orphans).toEqual([]);
    expect(job?.summary).toContain("resume-from: 1001");
    // The branch is reserved at the start commit; none of the work is on it.
    expect(github.remoteGit("log", "--format=%s", "main..ralph/example")).toBe("");
    github.keep("1001", cancelled.artifacts);

    const again = { ...runner, runId: "1002", inputs: { "resume-from": "1001" } };
    await using result = await github.run(workflow, again);
    expect(onlyJob(result).log.join("\n")).toContain("3/3 tasks passed");
    expect(result.conclusion).toBe("success");
    const subjects = github.remoteGit("log", "--format=%s", "main..ralph/example");
    expect(subjects.match(/(?<=feat\()T-\d+/g)).toEqual(ids.toReversed());
    // One question more, for the task that was interrupted.
    expect(askedFor(asked)).toEqual([onceEach[0], ["T-002", 3, 2, 1], onceEach[2]]);
  });
});

function askedFor(asked: (id: string, role: string) => number) {
  const roles = ["implementation", "test_writing", "review"];
  return ids.map((id) => [id, ...roles.map((role) => asked(id, role))]);
}
