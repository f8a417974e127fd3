import { expect, test } from "vitest";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import { readJournal } from "../../../src/journal/audit.ts";
import { createFiles } from "../../../src/platform/fs/files.ts";
import { foreignList, foreignTasks } from "../../../src/session/import/prove-tasks.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, sessionFolders } from "../../support/project/project.ts";

async function createFinished() {
  const project = await createProject({ tasks: [task("T-001", { dependsOn: [] })] });
  await project.run();
  const { run } = await readJournal(createFiles(sessionFolders(project.stateDir)[0] ?? "none"));
  if (!run) throw new Error("There was no session.");
  return { ...project, repo: await project.open(), passed: run };
}

/** The run of a journal that was forged as a whole. */
const withTask = (run: SessionState, more: object): SessionState => ({
  ...run,
  tasks: run.tasks.map((each) => ({ ...each, task: { ...each.task, ...more } })),
});

test("a task as it stands in the list is nobody's invention", async () => {
  await using project = await createFinished();
  const { repo, passed: run } = project;
  const { commit } = run.session.start;
  expect(await foreignTasks(repo, { run, commit })).toEqual([]);
});

test.for([
  ["easier criteria", { acceptanceCriteria: ["Run `true` exits with 0"] }],
  ["no tests", { requiresTests: false }],
  ["another id", { id: "T-002" }],
] as const)("a journaled task with %s is named", async ([, more]) => {
  await using project = await createFinished();
  const { repo, passed } = project;
  const { commit } = passed.session.start;
  const problems = await foreignTasks(repo, { run: withTask(passed, more), commit });
  expect(problems).toEqual([
    expect.stringMatching(
      /^T-00\d is not the task that stands in \.ralph\/prd\.json of commit \w+$/,
    ),
  ]);
});

test("a commit without a list can judge no criterion", async () => {
  await using project = await createFinished();
  const { repo, passed: run } = project;
  const commit = project.git("rev-parse", "main~1");
  const problems = await foreignTasks(repo, { run, commit });
  expect(problems).toEqual([expect.stringContaining("is no task list")]);
});

test("a model's list the journal does not call one is named, so that its commands do not run", async () => {
  await using project = await createProject({
    tasks: [task("T-001", { dependsOn: [] })],
    prd: { metadata: { source: "autopilot" } },
  });
  await project.run();
  const { run } = await readJournal(createFiles(sessionFolders(project.stateDir)[0] ?? "none"));
  if (!run) throw new Error("There was no session.");
  const repo = await project.open();
  const { commit } = run.session.start;
  expect(await foreignTasks(repo, { run, commit })).toEqual([]);
  const { list_author: _, ...session } = run.session;
  expect(await foreignTasks(repo, { run: { ...run, session }, commit })).toEqual([
    expect.stringContaining("is a model's, and the journal does not say so"),
  ]);
});

test("of a session that goes on every task is compared, and none may be left out", async () => {
  await using project = await createProject({ tasks: [task("T-001"), task("T-002")] });
  await project.run("--task", "T-001");
  const { run } = await readJournal(createFiles(sessionFolders(project.stateDir)[0] ?? "none"));
  if (!run) throw new Error("There was no session.");
  const repo = await project.open();
  const { commit } = run.session.start;
  expect(await foreignList(repo, { run, commit })).toEqual([]);
  const [first, second] = run.tasks;
  if (!first || !second) throw new Error("There were two tasks.");
  const name = `.ralph/prd.json of commit ${commit.slice(0, 12)}`;
  const left = { ...run, tasks: [first] };
  expect(await foreignList(repo, { run: left, commit })).toEqual([
    `T-002 stands in ${name}, and not in the journal`,
  ]);
  const changed = { ...second, task: { ...second.task, passes: true } };
  expect(await foreignList(repo, { run: { ...run, tasks: [first, changed] }, commit })).toEqual([
    `T-002 is not the task that stands in ${name}`,
  ]);
});
