import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../setup/sampled.ts";
import { createActionProject } from "../support/action/project.ts";
import { innerSteps, onlyJob, outputsOf, stepWorkflow } from "../support/action/workflow.ts";
import { task } from "../support/builders/session.ts";

const three = ["T-001", "T-002", "T-003"].map((id) => task(id));

test("a job works through the tasks, keeps and reports its session, and pushes the branch", async () => {
  await using github = await createActionProject({ tasks: three, mayActionsOpenPulls: true });
  await using result = await github.run(stepWorkflow({ "create-pr": "true" }));
  const job = onlyJob(result);
  expect(job.log.join("\n")).toContain("3/3 tasks passed");
  expect(result.conclusion).toBe("success");
  expect(outputsOf(job)).toMatchObject({
    status: "completed",
    "stop-reason": "all_done",
    "exit-code": "0",
    "tasks-completed": "3",
    "tasks-total": "3",
    branch: "ralph/example",
    "pr-number": "1",
    "pr-url": "https://github.com/octo/example/pull/1",
    "journal-digest": expect.stringMatching(/^\d+:[0-9a-f]{64}$/),
  });
  expect(job.summary).toContain("3 of 3 tasks passed");
  expect(job.annotations.filter(({ level }) => level === "error")).toEqual([]);
  const [artifact = ""] = readdirSync(result.artifacts);
  expect(artifact).toBe("ralph-session-1001-1");
  expect(readdirSync(join(result.artifacts, artifact)).sort()).toEqual([
    "evidence",
    "journal.jsonl",
    "objects.pack",
    "report.html",
  ]);
  const subjects = github.remoteGit("log", "--format=%s", "main..ralph/example");
  expect(subjects.match(/(?<=feat\()T-\d+/g)).toEqual(["T-003", "T-002", "T-001"]);
  expect(subjects).toMatch(/^chore\(ralph\): run record of /);
  expect(github.state.pulls).toMatchObject([
    { draft: false, body: expect.stringContaining("in place") },
  ]);
  expect(github.state.comments[0]?.body).toContain("/octo/example/actions/runs/1001");
  expect(job.log.join("\n")).toContain("CI waits for approval: ci.");
  expect(job.orphans).toEqual([]);
});

thorough("a draft that is wanted stays one, and comments can be switched off", async () => {
  await using github = await createActionProject({
    tasks: three.slice(0, 1),
    mayActionsOpenPulls: true,
  });
  await using result = await github.run(
    stepWorkflow({ "create-pr": "true", draft: "true", comment: "false" }),
  );
  expect(result.conclusion).toBe("success");
  expect(github.state).toMatchObject({ pulls: [{ draft: true }], comments: [] });
});

test("a list without an open task is green, says so, and calls no agent", async () => {
  await using github = await createActionProject({
    tasks: [{ ...task("T-001"), passes: true }],
    agent: "exit 1",
  });
  await using result = await github.run(stepWorkflow());
  const job = onlyJob(result);
  expect(result.conclusion).toBe("success");
  expect(outputsOf(job)).toMatchObject({ status: "nothing_to_do", "exit-code": "0" });
  expect(job.summary).toContain("No task is open, so nothing was started.");
  expect(github.remoteGit("branch", "--list", "ralph/*")).toBe("");
});

thorough(
  "a failed task makes the job red and names the line its gate complained about; passed tasks are pushed",
  async () => {
    await using github = await createActionProject({
      tasks: three,
      config: { limits: { max_iterations: 1 } },
      gates: {
        lint: '[ ! -f src/T-002.txt ] || { echo "src/T-002.txt:1:5: error: no such word"; exit 1; }',
      },
    });
    await using result = await github.run(stepWorkflow());
    const job = onlyJob(result);
    expect(result.conclusion).toBe("failure");
    expect(outputsOf(job)).toMatchObject({ status: "partial", "exit-code": "3" });
    expect(job.annotations).toContainEqual({
      level: "error",
      message: expect.stringContaining("no such word"),
      properties: expect.objectContaining({ file: "src/T-002.txt", line: "1", col: "5" }),
    });
    expect(job.summary).toContain("resume-from");
    expect(innerSteps(job)).toMatchObject({
      "Work through the tasks": "failure",
      "Keep the session": "success",
      "Push the branch": "success",
    });
    const subjects = github.remoteGit("log", "--format=%s", "main..ralph/example");
    expect(subjects.match(/(?<=feat\()T-\d+/g)).toEqual(["T-001"]);
  },
);

thorough("a dry run shows the tasks and leaves nothing", async () => {
  await using github = await createActionProject({ tasks: three });
  await using result = await github.run(stepWorkflow({ "dry-run": "true" }));
  const job = onlyJob(result);
  expect(job.log.filter((line) => line.startsWith("  T-00"))).toHaveLength(3);
  expect(result.conclusion).toBe("success");
  expect(readdirSync(result.artifacts)).toEqual([]);
  expect(github.remoteGit("branch", "--list", "ralph/*")).toBe("");
});

thorough(
  "a project without a configuration runs with the one that is made for it, and the log shows it",
  async () => {
    await using github = await createActionProject({ tasks: three.slice(0, 1) });
    const { project } = github;
    project.git("rm", "-q", ".ralph/ralph.yml");
    project.write("package.json", JSON.stringify({ name: "x", scripts: { test: "true" } }));
    project.git("add", "-A");
    project.git("commit", "-qm", "chore: no configuration");
    github.remoteGit("fetch", "-q", project.root, "+main:main");
    const agent = `${project.folder}/bin/agent`;
    await using result = await github.run(stepWorkflow({ "agent-command": agent, sandbox: "off" }));
    const job = onlyJob(result);
    expect(job.log.join("\n")).toContain('version: "1"');
    expect(outputsOf(job)).toMatchObject({
      ...{ status: "completed", branch: "ralph/example", "pr-number": "" },
    });
    expect(result.conclusion).toBe("success");
    expect(github.remoteGit("branch", "--list", "ralph/*")).toContain("ralph/example");
    expect(github.state).toMatchObject({ pulls: [], comments: [], checkRuns: [] });
  },
);
