import { expect, test } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import {
  createAutopilotProject,
  goodAnswer,
  goodRequirements,
  itemBranch,
  reportPath,
  reportText,
  say,
} from "../../support/autopilot/project.ts";
import { goodAnalysis, goodTasks } from "../../support/autopilot/team.ts";

const documentSubject = "docs: add PRD for Repair the login form";
const listSubject = "chore: add prd.json tasks for Repair the login form";

thorough("a second run finds nothing to do and calls no model", async () => {
  await using project = await createAutopilotProject();
  expect((await project.ralph("autopilot")).exitCode).toBe(0);
  const asked = project.model.asks.length;
  const commits = project.commits();
  const again = await project.ralph("autopilot");
  expect(again.exitCode).toBe(10);
  expect(again.stderr).toContain(`${reportPath} was worked on before`);
  expect((await project.ralph("autopilot", "--resume")).exitCode).toBe(2);
  expect(project.model.asks.length).toBe(asked);
  expect(project.commits()).toEqual(commits);
});

thorough(
  "the next report is worked on from the base branch, whatever branch is checked out",
  async () => {
    const search = { priority_item: "Repair the search box", branch_name: "fix/search-box" };
    const first = [1, 2, 3].map(() => say(goodAnswer));
    const turns = [...first, say(goodAnswer), say({ ...goodAnswer, ...search })];
    await using project = await createAutopilotProject({ turns });
    await project.ralph("autopilot");
    project.git("switch", "-q", "main");
    project.write("reports/weekly-review-20260127.md", reportText.replace("login", "search"));
    project.git("add", "-A");
    project.git("commit", "-qm", "report");
    project.git("switch", "-q", itemBranch);
    project.write("mine.txt", "not on main");
    project.git("add", "-A");
    project.git("commit", "-qm", "mine");
    const ended = await project.ralph("autopilot");
    expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
    expect(project.git("branch", "--show-current")).toBe("ralph/search-box");
    expect(project.commits()).toHaveLength(4);
    expect(project.git("status", "--porcelain")).toBe("");
    expect(project.git("ls-files", "mine.txt")).toBe("");
    // The item that was just done is refused, so the model was asked once more.
    expect(project.read(".ralph/autopilot/analysis.json")).toContain("Repair the login form");
  },
);

test("--dry-run shows the analysis and leaves nothing to continue", async () => {
  await using project = await createAutopilotProject();
  const ended = await project.ralph("autopilot", "--dry-run");
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ended.stdout).toContain("Repair the login form");
  expect(ended.stdout).toContain("Dark mode: cosmetic only");
  expect(project.git("branch", "--format=%(refname:short)")).toBe("main");
  expect(project.git("status", "--porcelain", "--ignored")).toBe("");
  expect((await project.ralph("autopilot", "--resume")).exitCode).toBe(2);
  const printed = JSON.parse((await project.ralph("autopilot", "--dry-run", "--json")).stdout);
  expect(printed).toMatchObject({ status: "analyzed", analysis: { source_report: reportPath } });
});

thorough("without a document the tasks follow from the analysis", async () => {
  await using project = await createAutopilotProject();
  const args = ["--no-prd", "--no-create-pr", "--branch", "work/login", "--task-count", "2-4"];
  const ended = await project.ralph("autopilot", ...args, "--json");
  expect(ended.exitCode).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    ...{ status: "completed", branch: "work/login", record: { phase: "completed" } },
    analysis: { priority_item: "Repair the login form" },
  });
  expect(project.commits()[0]).toBe(listSubject);
  expect(project.git("show", "--format=", "--name-only", "HEAD~2")).toContain("analysis.json");
  expect(ended.stderr).not.toContain("ralph publish");
});

thorough("the list of another branch is archived before it is written over", async () => {
  await using project = await createAutopilotProject();
  await project.ralph("autopilot");
  const paths = project.git("ls-files", ".ralph/archive").split("\n");
  expect(paths).toEqual([expect.stringMatching(/^\.ralph\/archive\/\d{8}-example\/prd\.json$/)]);
  expect(project.read(paths[0] ?? "")).toBe(`${project.git("show", "main:.ralph/prd.json")}\n`);
});

thorough(
  "in interactive mode the branch waits with the document; what its reader changes counts",
  async () => {
    await using project = await createAutopilotProject();
    const stopped = await project.ralph("autopilot", "--prd-mode", "interactive");
    expect(stopped.exitCode).toBe(0);
    expect(stopped.stdout).toContain("ralph autopilot --resume");
    expect(project.commits()).toEqual([documentSubject]);
    expect(await project.record()).toMatchObject({ status: "running", phase: "planning" });
    const path = "tasks/prd-login-form.md";
    const edited = project
      .read(path)
      .replace("- FR-1: It keeps its text", "- FR-1: It is blue\n- It has a title")
      .replace(/(## Overview\n\n).*/, "$1The form keeps what people typed.")
      .replace(/(## Acceptance Criteria\n\n)[^#]*/, "$1- The text is there again\n\n");
    project.write(path, edited);
    project.git("commit", "-qam", "read");
    expect((await project.ralph("autopilot", "--resume")).exitCode).toBe(0);
    expect(project.commits().slice(0, 3)).toEqual([documentSubject, "read", listSubject]);
    const prompt = project.model.asks.at(-1)?.prompt ?? "";
    for (const text of ["FR-1: It is blue", "It has a title", "- The text is there again"])
      expect(prompt).toContain(text);
    expect(prompt).toContain("The form keeps what people typed.");
    const list = JSON.parse(project.read(".ralph/prd.json"));
    expect(list.description).toContain("The form keeps what people typed.");
  },
);

test("a document that is not committed by configuration waits for a person", async () => {
  await using project = await createAutopilotProject({
    autopilot: { tasks: { min_count: 2, max_count: 2, auto_commit: false } },
  });
  const stopped = await project.ralph("autopilot");
  expect(stopped).toMatchObject({ exitCode: 0, stderr: "" });
  expect(stopped.stdout).toContain("not committed, as configured");
  expect((await project.ralph("autopilot", "--resume")).exitCode).toBe(14);
  project.git("add", "-A");
  project.git("commit", "-qm", "mine");
  expect((await project.ralph("autopilot", "--resume")).exitCode).toBe(0);
  expect(project.commits().slice(0, 2)).toEqual([documentSubject, "mine"]);
});

const one = [say(goodAnalysis()), say(goodRequirements)];
test.each([
  [10, "no_report", "failed", { files: { [reportPath]: "too short" } }, []],
  [11, "analysis", "failed", { turns: [say("prose")] }, []],
  [12, "prd", "failed", { turns: [say(goodAnalysis()), say({ title: "T" })] }, []],
  [13, "tasks", "failed", { turns: [...one, say(goodTasks(9))] }, []],
  [14, "git", undefined, {}, ["--branch", "main"]],
  [1, "config", undefined, { env: { ANTHROPIC_API_KEY: "", PATH: "/usr/bin:/bin" } }, []],
  [1, "config", undefined, {}, ["--task-count", "9-2"]],
  [1, "config", undefined, {}, ["--report", "x.md", "--issue", "1"]],
  [1, "config", undefined, {}, ["--reports", "../.."]],
  [1, "config", undefined, {}, ["--reports", "/etc"]],
  [10, "no_report", undefined, {}, ["--report", "../secret.md"]],
  [10, "no_report", undefined, {}, ["--report", ".git/config"]],
] as const)(
  "exit %i (%s) when a phase has no success",
  async (code, reason, status, options, args) => {
    await using project = await createAutopilotProject(options);
    const ended = await project.ralph("autopilot", "--json", ...args);
    expect(ended.exitCode).toBe(code);
    expect(JSON.parse(ended.stdout)).toMatchObject({ stop_reason: reason, exit_code: code });
    expect(project.git("status", "--porcelain")).toBe("");
    if (status === undefined || code === 10) return;
    expect(await project.record()).toMatchObject({ status, phase: "failed", stop_reason: reason });
  },
);

test("--resume continues in the phase that failed", async () => {
  const turns = [...one, say("prose"), say("prose"), say(goodTasks(2))];
  await using project = await createAutopilotProject({ turns });
  expect((await project.ralph("autopilot")).exitCode).toBe(13);
  const ended = await project.ralph("autopilot", "--resume");
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  expect(project.model.asks.length).toBe(5);
  expect((await project.record()).usage_by_role).toMatchObject({ planning: { calls: 5 } });
});

test("a failed task ends the run, and --resume continues the same session", async () => {
  await using project = await createAutopilotProject({
    agent: { review: "test -e ../allow && claim || signal review-rejected" },
    config: { limits: { max_iterations: 1 } },
    turns: [say({ ...goodAnswer, ...goodTasks(2, { acceptanceCriteria: ["It is good"] }) })],
  });
  const failed = await project.ralph("autopilot");
  expect(failed.exitCode).toBe(3);
  expect(await project.record()).toMatchObject({ phase: "failed", stop_reason: "task_failed" });
  expect((await project.ralph("autopilot")).exitCode).toBe(10);
  const resumed = await project.ralph("autopilot", "--resume");
  expect(resumed.stdout).toContain((await project.record()).session_id);
});

test("uncommitted work is refused before any model is called", async () => {
  await using project = await createAutopilotProject();
  project.write("a.txt", "changed");
  const ended = await project.ralph("autopilot");
  expect(ended.exitCode).toBe(14);
  expect(ended.stderr).toContain("a.txt (unstaged)");
  expect(project.model.asks).toEqual([]);
});

test("without a key the project's own planning agent is asked", async () => {
  await using project = await createAutopilotProject({
    env: { ANTHROPIC_API_KEY: "", PATH: "/usr/bin:/bin" },
    files: { [reportPath]: reportText, "answer.json": JSON.stringify(goodAnswer) },
    agents: { planning: { driver: "command", command: "cat", args: ["answer.json"] } },
  });
  const ended = await project.ralph("autopilot");
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  expect(project.model.asks).toEqual([]);
});
