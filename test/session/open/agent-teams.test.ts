import { expect, test } from "vitest";
import { checkCommits, ownCommits } from "../../../src/github/verify/check-commits.ts";
import { readTrustedStart } from "../../../src/github/verify/trusted-start.ts";
import { readJournal } from "../../../src/journal/audit.ts";
import { sessionIds } from "../../../src/journal/session-store.ts";
import { locateProject, openSide } from "../../../src/session/open/locate-project.ts";
import { goal } from "../../dialects/agent-teams/team-goal.ts";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project, type ProjectOptions } from "../../support/project/project.ts";

const guardrails = ".ralph/guardrails.md";
/** Red until somebody has tried twice. */
const twice = {
  test: 'test ! -e src || grep -q "attempt 2" src/*.txt || { echo "FAIL a.test > adds"; exit 1; }',
};
/** What a publisher thinks of the commits of the last session, by its journal. */
async function holdAgainstFirewall({ system, root }: Project) {
  const place = await locateProject(system, root);
  const [id = ""] = (await sessionIds(place.store)).toReversed();
  const { state, moments } = await readJournal(place.store.session(id));
  if (!state) throw new Error("There is no session.");
  await using repo = await openSide(system, place);
  const start = await readTrustedStart(repo, state, {
    revisions: ["HEAD"],
    config: ".ralph/ralph.yml",
  });
  const commits = await ownCommits(repo, { from: start.commit, to: state.head });
  return await checkCommits(repo, { commits, start, moments, secrets: [] });
}

const files = (project: Project, commit: string) =>
  project.git("show", "--name-only", "--format=", commit).split("\n").sort();

thorough(
  "a failed gate leaves a sign in the commit of its task, and the next task learns of it",
  async () => {
    await using project = await createProject({
      gates: twice,
      tasks: [task("T-001"), task("T-002")],
    });
    const { exitCode, prompts } = await project.run();
    expect(exitCode).toBe(0);
    const text = project.git("show", `HEAD~1:${guardrails}`);
    expect(text).toMatch(/## Fixes\n\n### fix-\d+-[0-9a-f]{8}\n> Gate "test" failed\./);
    expect(text).toContain("(repaired by: implementation of T-001)");
    expect(files(project, "HEAD~1")).toContain(guardrails);
    expect(project.git("status", "--porcelain")).toBe("");
    const [first, , second] = prompts("implementation");
    expect(first).not.toContain("# Signs");
    expect(second).toContain("# Signs: what has gone wrong here before");
    expect((await project.ralph("audit")).exitCode).toBe(0);
    expect(await holdAgainstFirewall(project)).toEqual([]);
  },
);

test("a run without failures makes no guardrails", async () => {
  await using project = await createProject({ tasks: [task("T-001")] });
  await project.run();
  expect(files(project, "HEAD")).not.toContain(guardrails);
  expect(await project.system.files(project.root).stat(`${guardrails}.lock`)).toBeUndefined();
});

test("an agent may not write guardrails", async () => {
  await using project = await createProject({
    tasks: [task("T-001")],
    agent: { implementation: `echo evil >>${guardrails}; honest` },
    files: { [guardrails]: "# Guardrails\n" },
  });
  const { facts, exitCode } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("agent_end")[0]?.refused).toEqual([guardrails]);
  expect(project.read(guardrails)).toBe("# Guardrails\n");
});

const emits = { compat: { emit: ["agent-teams"] } };
const login = ".ralph/specs/auth/implementation/step01/task-01-login.code-task.md";
const waiting = goal[login]?.replace("IN_PROGRESS", "PENDING") ?? "";

async function createTeam(options: ProjectOptions = {}) {
  const files = { ...goal, [login]: waiting };
  const project = await createProject({ config: emits, files, ...options });
  const migrated = await project.ralph("migrate", "--from", "agent-teams", "--force");
  expect(migrated).toMatchObject({ exitCode: 0, stderr: "" });
  project.git("add", "-A");
  project.git("commit", "-qm", "tasks of the team");
  return project;
}

test("a team's list is taken over, worked through and written back", async () => {
  await using project = await createTeam();
  const { exitCode, stdout, prompts, state } = await project.run();
  expect(exitCode, stdout).toBe(0);
  expect(state.tasks.map(({ state }) => state)).toEqual(["passed", "passed", "passed"]);
  expect(project.git("show", `HEAD~1:${login}`)).toContain("## Status: COMPLETED\n## Completed: 2");
  expect(files(project, "HEAD~1")).toContain(login);
  expect(project.git("status", "--porcelain")).toBe("");
  expect(stdout).toContain(
    "3 tasks completadas. 0 failed, 0 pending, gates 2 passed and 0 failed.",
  );
  expect(JSON.parse(project.read(".ralph/metrics.json"))).toMatchObject({ tasks_completed: 3 });
  expect(JSON.parse(project.read(".ralph/failures.json"))).toMatchObject({
    "agent-1": { consecutive_failures: 0, total_successes: 2 },
  });
  const [prompt] = prompts("implementation");
  expect(prompt).toContain("Tokens last an hour.");
  expect(prompt).toContain(`${login}]`);
  expect(await project.ralph("audit")).toMatchObject({ exitCode: 0 });
  expect(await holdAgainstFirewall(project)).toEqual([]);
});

test("a task's file says in the work tree when the task runs and when it is blocked; commits hold what was committed", async () => {
  const logout = ".ralph/specs/auth/implementation/step02/task-01-logout.code-task.md";
  const script = `cp ${login} ../login-$task; cp ${logout} ../logout-$task
[ $task = T-003 ] && claim || honest`;
  await using project = await createTeam({ agent: { implementation: script } });
  const { exitCode, state } = await project.run();
  expect([exitCode, state.tasks.map(({ state }) => state)]).toEqual([
    3,
    ["passed", "passed", "blocked"],
  ]);
  expect(project.read("../login-T-002")).toContain("## Status: IN_PROGRESS\n");
  expect(project.read("../logout-T-002")).toContain("## Status: PENDING\n");
  expect(project.read("../logout-T-003")).toContain("## Status: IN_PROGRESS\n");
  expect(project.read(logout)).toContain("## Status: BLOCKED\n## Blocked-By");
  expect(project.git("status", "--porcelain")).toBe(`M ${logout}`);
  expect(files(project, "HEAD")).toContain(login);
  expect(files(project, "HEAD")).not.toContain(logout);
  expect(await holdAgainstFirewall(project)).toEqual([]);
  const again = await project.run();
  expect([again.exitCode, again.stderr]).toEqual([3, expect.not.stringContaining("not clean")]);
  expect(project.git("show", `HEAD:${logout}`)).toContain("## Status: BLOCKED");
  expect((await project.run("--resume")).exitCode).toBe(3);
});

thorough("ABORT ends a session at the next step, which says so and can be resumed", async () => {
  await using project = await createProject({
    config: emits,
    tasks: [task("T-001"), task("T-002")],
    agent: { review: "test -e ../seen || touch ../seen .ralph/ABORT; claim" },
  });
  const { exitCode, state, stdout } = await project.run();
  expect(exitCode).toBe(7);
  expect(state.end?.message).toBe("Stopped because .ralph/ABORT exists. Remove it to continue.");
  expect(stdout).toContain("Stopped because .ralph/ABORT exists.");
  expect((await project.run("--resume")).exitCode).toBe(7);
  await project.system.files(project.root).remove(".ralph/ABORT");
  expect((await project.run("--resume")).exitCode).toBe(0);
  expect(project.git("status", "--porcelain")).toBe("");
});
