import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSeals, checkTimeOrder } from "../../src/schema/session-files/check-session-files.ts";
import { RunRecordFile } from "../../src/schema/session-files/run-record.ts";
import { SessionFile } from "../../src/schema/session-files/session.ts";
import { TaskStatusFile } from "../../src/schema/session-files/task-status.ts";
import {
  TimelineEvent,
  timelineEventNames,
} from "../../src/schema/session-files/timeline-event.ts";
import { task } from "../support/builders/session.ts";
import { createProject, type Project } from "../support/project/project.ts";

const oneTask = [task("T-001")];

/** Odd on purpose: CRLF, tabs, escapes, keys of other tools, and a task that says `"passes": false` in prose. */
const oddList = [
  '{"project":"Odd","description" : "\\u00e9\\t x", "x-tool": {"keep": [1,2 ,3]},',
  '\t"tasks": [',
  '{"id":"T-001" ,"title":"Say \\"passes\\": false","description":"d","acceptanceCriteria":["It works"],',
  '   "priority":1,"passes" :  false },',
  '{"id":"T-002","title":"t","description":"d","acceptanceCriteria":["c"],"priority":2,"passes":true,"notes":"old"}',
  "]}",
  "",
].join("\r\n");

test("of prd.json only `passes` and `notes` of the passed task change, byte for byte", async () => {
  await using project = await createProject();
  project.write(".ralph/prd.json", oddList);
  project.git("commit", "-qam", "odd");
  const { exitCode } = await project.run();
  expect(exitCode).toBe(0);
  const after = project.read(".ralph/prd.json");
  const notes = /,"notes" : {2}"Proof(?:[^"\\]|\\.)*"/.exec(after)?.[0] ?? "none";
  expect(after.replace(notes, "")).toBe(oddList.replace('"passes" :  false', '"passes" :  true'));
  expect(JSON.parse(after).tasks[0].notes).toContain("implementation of T-001");
});

const linesOf = (text: string) => text.trimEnd().split("\n");

/** Every view, read by the schema that its readers use. */
function checkViews(project: Project): { session: SessionFile; status: TaskStatusFile } {
  const view = (name: string) => readFileSync(join(project.root, ".ralph-session", name));
  const json = (name: string) => JSON.parse(view(name).toString());
  const status = TaskStatusFile.parse(json("task-status.json"));
  const external = view("task-status.sha256").toString();
  expect(checkSeals({ bytes: view("task-status.json"), status, external })).toEqual([]);
  const lines = linesOf(view("logs/timeline.jsonl").toString()).map((line) =>
    TimelineEvent.parse(JSON.parse(line)),
  );
  expect(checkTimeOrder(lines)).toEqual([]);
  const names: readonly string[] = timelineEventNames;
  expect(lines.filter(({ event }) => !names.includes(event))).toEqual([]);
  expect(RunRecordFile.parse(json("run-record.json")).tasks_total).toBe(4);
  return { session: SessionFile.parse(json("session.json")), status };
}

test("after a session that passed every view is valid and says so", async () => {
  await using project = await createProject();
  await project.run();
  const { session, status } = checkViews(project);
  expect(session).toMatchObject({ status: "completed", total_iterations: 4 });
  expect(session.completed_tasks).toEqual(["T-001", "T-002", "T-003", "T-004"]);
  expect(Object.values(status.tasks).every(({ passes }) => passes)).toBe(true);
  expect(readdirSync(join(project.root, ".ralph-session/logs")).sort()).toContain("impl-T-001.log");
});

test("after a session that failed too", async () => {
  await using project = await createProject({ agent: "claim" });
  await project.run();
  const { session, status } = checkViews(project);
  expect(session).toMatchObject({
    status: "failed",
    pending_tasks: expect.arrayContaining(["T-001"]),
  });
  expect(session.failure_reason).toContain("T-001");
  expect(status.tasks["T-001"]).toMatchObject({ passes: false, iterations: 3 });
  expect(status.tasks["T-001"]?.last_failure).toContain("No change");
});

test("the commit names its task, session and place in the journal, and adds only bookkeeping to the proved tree", async () => {
  await using project = await createProject({ tasks: oneTask });
  const { state, events, facts } = await project.run();
  const message = project.git("log", "-1", "--format=%B");
  expect(message).toContain("feat(T-001): Title of T-001\n\n- It works\n\n");
  const passed = events.find(({ type }) => type === "task_passed");
  const anchor = `${(passed?.seq ?? 0) - 1}:${passed?.prev}`;
  expect(project.git("log", "-1", "--format=%(trailers:unfold)")).toBe(
    `Ralph-Task: T-001\nRalph-Session: ${state.session.session_id}\nRalph-Journal: ${anchor}`,
  );
  const proved = facts("task_passed")[0]?.tree ?? "";
  expect(linesOf(project.git("diff", "--name-only", proved, "HEAD"))).toEqual([
    ".ralph/prd.json",
    ".ralph/progress.txt",
  ]);
});

const teach = `work; printf '<task-done session="%s">\\n## Changes\\n- wrote it\\n## Learnings\\n- Files live in src\\n## Patterns\\n- One file a task\\n</task-done>\\n' "$token"`;

test("a title and criteria name no author, and would as they were written (T10)", async () => {
  const trailers = "Co-authored-by: Mallory <m@evil.example>";
  const signed = "Signed-off-by: Mallory <m@evil.example>";
  const planted = task("T-001", {
    title: `Tidy ${trailers}`,
    acceptanceCriteria: [`It is tidy\n\n${trailers}`, `\n\n${signed}\n`, signed],
  });
  await using project = await createProject({ tasks: [planted] });
  expect((await project.run()).exitCode).toBe(0);
  expect(project.git("log", "-1", "--format=%B")).toContain("Signed-off-by");
  const names = project.git("log", "-1", "--format=%(trailers:keyonly)").split("\n");
  expect(names).toEqual(["Ralph-Task", "Ralph-Session", "Ralph-Journal"]);
  const raw = ["feat: it", ...planted.acceptanceCriteria].join("\n\n");
  project.git("commit", "-q", "--allow-empty", "-m", raw);
  expect(project.git("log", "-1", "--format=%(trailers:keyonly)")).toContain("Signed-off-by");
});

test("learnings are offered in the pull request and written nowhere, unless the configuration says so (T07)", async () => {
  await using project = await createProject({ tasks: oneTask, agent: { implementation: teach } });
  project.git("init", "-q", "--bare", join(project.folder, "remote.git"));
  project.git("remote", "add", "origin", join(project.folder, "remote.git"));
  project.git("push", "-q", "origin", "main");
  expect((await project.run()).exitCode).toBe(0);
  expect(project.git("ls-tree", "HEAD", "AGENTS.md")).toBe("");
  const { stdout } = await project.ralph("publish", "--dry-run");
  expect(stdout).toContain("What the agents learned");
  expect(stdout).toContain("Files live in src");
});

test("learnings and patterns are kept, committed, and shown to the next task", async () => {
  const tasks = [task("T-001"), task("T-002")];
  const implementation = `if [ "$task" = T-001 ]; then ${teach}; else honest; fi`;
  await using project = await createProject({
    config: { memory: { learnings: "write" } },
    tasks,
    agent: { implementation },
  });
  const { exitCode, prompts } = await project.run();
  expect(exitCode).toBe(0);
  expect(project.git("show", "HEAD~1:AGENTS.md")).toContain("Files live in src");
  expect(project.git("show", "HEAD~1:.ralph/progress.txt")).toContain("One file a task");
  const second = prompts("implementation")[1];
  expect(second).toContain("Files live in src");
  expect(second).toContain("- One file a task");
});

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test("token and secrets are in no file but session.json, whatever an agent prints (T49)", async () => {
  const env = { ANTHROPIC_API_KEY: "sk-ant-very-secret-0123456789" };
  const agents = { env: ["ANTHROPIC_API_KEY"] };
  const agent = `printf '%s\\n' "$prompt"; env; honest`;
  await using project = await createProject({ tasks: oneTask, agent, agents, env });
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(project.evidence(facts("agent_end")[0]?.output)).toContain("ANTHROPIC_API_KEY=***");
  const token: string = JSON.parse(project.read(".ralph-session/session.json")).session_token;
  const holding = (text: string) =>
    filesBelow(project.folder).filter((file) => readFileSync(file).includes(text));
  expect(holding(token)).toEqual([join(project.root, ".ralph-session/session.json")]);
  expect(holding(env.ANTHROPIC_API_KEY)).toEqual([]);
});
