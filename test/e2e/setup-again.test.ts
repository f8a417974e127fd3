import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { createProject, type Project, sessionFolders } from "../support/project/project.ts";

const tasksAt = (...priorities: number[]) =>
  priorities.map((priority, index) => task(`T-00${index + 1}`, { priority, requiresTests: false }));

/** Packages lie in `deps`, which git ignores; what they must be stands in `lock.txt`. */
const install = "mkdir -p deps; cp lock.txt deps/installed";
const files = { ".gitignore": "deps/\n", "lock.txt": "one\n" };
const gates = { installed: "cmp lock.txt deps/installed" };
const setup = [{ name: "install", cmd: install, cache: ["lock.txt"] }];
const agents = { env: ["PROJECT"] };

/** T-001 adds a package and installs it where it works. */
const addsPackage = `echo two >>lock.txt; ${install}; honest; exit`;
const afterFirst = `while [ ! -e "$PROJECT/src/T-001.txt" ]; do sleep 0.05; done`;

function tellAgents(project: Project): void {
  Object.assign(project.system, { env: { ...project.system.env, PROJECT: project.root } });
}

thorough(
  "what a task has added to the packages is installed in the work trees of those merged with it",
  async () => {
    const implementation = `if [ "$task" = T-001 ]; then ${addsPackage}; fi; ${afterFirst}; honest`;
    const agent = { implementation };
    const config = { setup };
    await using project = await createProject({
      ...{ tasks: tasksAt(1, 1), files, gates, config, agent, agents },
    });
    tellAgents(project);
    const { exitCode, facts } = await project.run("--parallel", "2");
    expect(exitCode).toBe(0);
    expect(facts("iteration_failed")).toEqual([]);
    const workers = facts("setup_end").map(({ worker }) => worker ?? "project");
    // Only in the work tree of the second one: the first has installed it itself.
    expect(workers.toSorted()).toHaveLength(4);
    expect(workers.at(-1)).toBe(
      facts("task_claimed").find((claim) => claim.task === "T-002")?.worker,
    );
  },
);

thorough("a work tree that is used again has the packages of what it begins with", async () => {
  const implementation = `
if [ "$task" = T-001 ]; then ${addsPackage}; fi
if [ "$task" = T-002 ]; then ${afterFirst}; fi; honest`;
  const agent = { implementation };
  const config = { setup };
  await using project = await createProject({
    ...{ tasks: tasksAt(1, 2, 2), files, gates, config, agent, agents },
  });
  tellAgents(project);
  const { exitCode, facts } = await project.run("--parallel", "2");
  expect(exitCode).toBe(0);
  expect(facts("iteration_failed")).toEqual([]);
});

test("packages that a task has left behind when it failed are not the next one's", async () => {
  const implementation = `
if [ "$task" = T-001 ]; then echo other >deps/installed; mkdir -p src; echo x >src/x; claim; exit; fi; honest`;
  const agent = { implementation };
  const config = { setup, limits: { max_iterations: 1, parallel: 2 } };
  await using project = await createProject({
    ...{ tasks: tasksAt(1, 2), files, gates, config, agent },
  });
  const { facts } = await project.run("--keep-going");
  expect(facts("task_failed").map((fact) => fact.task)).toEqual(["T-001"]);
  expect(facts("task_committed").map((fact) => fact.task)).toEqual(["T-002"]);
});

test("where packages cannot be installed after a merge, that is reported and the gates decide", async () => {
  const implementation = `if [ "$task" = T-001 ]; then ${addsPackage}; fi; ${afterFirst}; honest`;
  const agent = { implementation };
  const cmd = `grep -q two lock.txt && exit 3; ${install}`;
  const config = { setup: [{ name: "install", cmd, cache: ["lock.txt"] }] };
  await using project = await createProject({
    ...{ tasks: tasksAt(1, 1), files, config, agent, agents },
  });
  tellAgents(project);
  const { exitCode, state } = await project.run("--parallel", "2");
  expect(exitCode).toBe(0);
  expect(state.warnings.join("\n")).toMatch(
    /Setup step "install" failed in the work tree of agent-\d, .*; the gates of T-002 decide/,
  );
});

test.for(["1", "2"])(
  "a session that continues installs before it checks passed work (--parallel %s)",
  async (parallel) => {
    const implementation = `if [ "$task" = T-001 ]; then ${addsPackage}; fi; [ -e ../calm ] && honest`;
    const agent = { implementation: `${implementation.replace("../calm", `"$PROJECT/../calm"`)}` };
    const config = { setup };
    await using project = await createProject({
      ...{ tasks: tasksAt(1, 2), files, gates, config, agent, agents },
    });
    tellAgents(project);
    expect((await project.run("--parallel", parallel)).facts("task_committed")).toHaveLength(1);
    // As on another machine.
    rmSync(join(project.root, "deps"), { recursive: true });
    const [session = ""] = sessionFolders(project.stateDir);
    rmSync(join(session, "../../setup"), { recursive: true });
    project.write("../calm", "");
    const { exitCode, state } = await project.run("--resume", "--parallel", parallel);
    expect(state.recheck?.failures).toEqual([]);
    expect(exitCode).toBe(0);
  },
);

test("a setup step that fails when a session continues is blamed, not the work: exit 1", async () => {
  const agent = { implementation: `if [ "$task" = T-001 ]; then honest; else exit 1; fi` };
  const cmd = `[ ! -e ../broken ]`;
  const config = { setup: [{ name: "install", cmd }] };
  await using project = await createProject({ tasks: tasksAt(1, 2), agent, config });
  await project.run();
  project.write("../broken", "");
  const { exitCode, state } = await project.run("--resume");
  expect(exitCode).toBe(1);
  expect(state.end?.message).toBe('Setup step "install" failed; nothing was started.');
});
