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
  const { state } = await readJournal(createFiles(sessionFolders(project.stateDir)[0] ?? "none"));
  if (!state) throw new Error("There was no session.");
  return { ...project, repo: await project.open(), passed: state };
}

/** The run of a journal that was forged as a whole. */
const withTask = (state: SessionState, more: object): SessionState => ({
  ...state,
  tasks: state.tasks.map((each) => ({ ...each, task: { ...each.task, ...more } })),
});

test("a task as the list has it is not invented", async () => {
  await using project = await createFinished();
  const { repo, passed: state } = project;
  const { commit } = state.session.start;
  expect(await foreignTasks(repo, { state, commit })).toEqual([]);
});

test.for([
  ["easier criteria", { acceptanceCriteria: ["Run `true` exits with 0"] }],
  ["no tests", { requiresTests: false }],
  ["another id", { id: "T-002" }],
] as const)("a journaled task with %s is named", async ([, more]) => {
  await using project = await createFinished();
  const { repo, passed } = project;
  const { commit } = passed.session.start;
  const problems = await foreignTasks(repo, { state: withTask(passed, more), commit });
  expect(problems).toEqual([
    expect.stringMatching(/^T-00\d differs from the task in \.ralph\/prd\.json of commit \w+$/),
  ]);
});

test("a commit without a list can judge no criterion", async () => {
  await using project = await createFinished();
  const { repo, passed: state } = project;
  const commit = project.git("rev-parse", "main~1");
  const problems = await foreignTasks(repo, { state, commit });
  expect(problems).toEqual([expect.stringContaining("is not a task list")]);
});

test("a model's list the journal does not call one is named, so that its commands do not run", async () => {
  await using project = await createProject({
    tasks: [task("T-001", { dependsOn: [] })],
    prd: { metadata: { source: "autopilot" } },
  });
  await project.run();
  const { state } = await readJournal(createFiles(sessionFolders(project.stateDir)[0] ?? "none"));
  if (!state) throw new Error("There was no session.");
  const repo = await project.open();
  const { commit } = state.session.start;
  expect(await foreignTasks(repo, { state, commit })).toEqual([]);
  const { list_author: _, ...session } = state.session;
  expect(await foreignTasks(repo, { state: { ...state, session }, commit })).toEqual([
    expect.stringContaining("was written by a model, and the journal does not say so"),
  ]);
});

test("of a session that continues every task is compared, and none may be left out", async () => {
  await using project = await createProject({ tasks: [task("T-001"), task("T-002")] });
  await project.run("--task", "T-001");
  const { state } = await readJournal(createFiles(sessionFolders(project.stateDir)[0] ?? "none"));
  if (!state) throw new Error("There was no session.");
  const repo = await project.open();
  const { commit } = state.session.start;
  expect(await foreignList(repo, { state, commit })).toEqual([]);
  const [first, second] = state.tasks;
  if (!first || !second) throw new Error("There were two tasks.");
  const name = `.ralph/prd.json of commit ${commit.slice(0, 12)}`;
  const left = { ...state, tasks: [first] };
  expect(await foreignList(repo, { state: left, commit })).toEqual([
    `T-002 is in ${name}, but not in the journal`,
  ]);
  const changed = { ...second, task: { ...second.task, passes: true } };
  expect(await foreignList(repo, { state: { ...state, tasks: [first, changed] }, commit })).toEqual(
    [`T-002 differs from the task in ${name}`],
  );
});
