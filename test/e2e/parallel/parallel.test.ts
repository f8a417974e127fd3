import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project } from "../../support/project/project.ts";

const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => `T-${String(index + 1).padStart(3, "0")}`);
const sideBySide = (count: number) => ids(count).map((id) => task(id, { priority: 1 }));

/** Folders of workers that are still there. */
const workersLeft = ({ stateDir }: Project) =>
  readdirSync(stateDir, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\/workers\/./.test(path),
  );

test("independent tasks run side by side, and land one at a time in one line of commits", async () => {
  await using project = await createProject({ tasks: sideBySide(4) });
  const { exitCode, facts, state } = await project.run("--parallel", "4");
  expect(exitCode).toBe(0);
  expect(
    facts("task_claimed")
      .map(({ worker }) => worker)
      .sort(),
  ).toEqual(["agent-1", "agent-2", "agent-3", "agent-4"]);
  expect(facts("task_merged")).toHaveLength(3);
  expect(state.tasks.every((each) => each.state === "passed")).toBe(true);
  expect(project.commits()).toHaveLength(4);
  expect(project.git("rev-list", "--merges", "HEAD")).toBe("");
  expect(project.git("ls-files", "src").split("\n")).toEqual(ids(4).map((id) => `src/${id}.txt`));
  expect(project.git("status", "--porcelain")).toBe("");
  expect(project.prd().tasks.every(({ passes }) => passes)).toBe(true);
  expect(workersLeft(project)).toEqual([]);
  const audit = await project.ralph("audit");
  expect(audit.stdout + audit.stderr).toContain("T-004");
  expect(audit.exitCode).toBe(0);
});

test("two tasks that change the same line: the second gets feedback, and repeats its work on top of the first's", async () => {
  const agent = {
    implementation: `
if [ -e src/shared.txt ]; then echo "$task" >>src/shared.txt; else mkdir -p src; echo "$task" >src/shared.txt; fi
claim`,
  };
  await using project = await createProject({ tasks: sideBySide(2), agent });
  const { exitCode, facts, prompts } = await project.run("--parallel", "2");
  expect(exitCode).toBe(0);
  const [conflict, ...more] = facts("iteration_failed");
  expect(more).toEqual([]);
  expect(conflict).toMatchObject({ because: "merge", fingerprint: "src/shared.txt" });
  const [kept] = facts("work_kept");
  expect(kept?.task).toBe(conflict?.task);
  expect(project.git("show", `${kept?.tree}:src/shared.txt`)).toBe(conflict?.task);
  expect(prompts("implementation").at(-1)).toContain("do not fit together");
  expect(project.read("src/shared.txt").split("\n").filter(Boolean).sort()).toEqual(ids(2));
  expect((await project.ralph("audit")).exitCode).toBe(0);
});

thorough(
  "work that only breaks beside that of others is caught after the merge, and repaired",
  async () => {
    const agent = {
      implementation: `
mkdir -p src
if [ "$attempt" = 1 ]; then echo "$task" >"src/$task.port"; else mv "src/$task.port" "src/$task.other"; fi
claim`,
    };
    // One port is fine, two are not: no line conflicts.
    const gates = { ports: `test "$(ls src/*.port | wc -l)" -le 1` };
    await using project = await createProject({ tasks: sideBySide(2), agent, gates });
    const { exitCode, facts } = await project.run("--parallel", "2");
    expect(exitCode).toBe(0);
    expect(facts("iteration_failed").map(({ because }) => because)).toEqual(["gate"]);
    expect(
      project
        .git("ls-files", "src")
        .split("\n")
        .map((path) => path.replace(/.*\./, ""))
        .sort(),
    ).toEqual(["other", "port"]);
    expect((await project.ralph("audit")).exitCode).toBe(0);
  },
);

test("a task waits for what it depends on, and begins with its work; others do not wait", async () => {
  const tasks = [
    task("T-001", { priority: 1 }),
    task("T-002", { priority: 2, dependsOn: ["T-001"] }),
    task("T-003", { priority: 3, dependsOn: [] }),
    task("T-004", { priority: 4 }),
  ];
  const implementation = `if [ "$task" = T-002 ] && [ ! -e src/T-001.txt ]; then exit 9; fi; honest`;
  await using project = await createProject({ tasks, agent: { implementation } });
  const { exitCode, facts, events } = await project.run("--parallel", "4");
  expect(exitCode).toBe(0);
  const seq = (type: string, id: string) =>
    events.find((event) => event.type === type && "task" in event && event.task === id)?.seq ?? 0;
  expect(seq("task_start", "T-002")).toBeGreaterThan(seq("task_committed", "T-001"));
  expect(seq("task_start", "T-003")).toBeLessThan(seq("task_committed", "T-001"));
  // The barrier of priorities holds for who says nothing of dependencies.
  expect(seq("task_start", "T-004")).toBeGreaterThan(seq("task_committed", "T-003"));
  expect(facts("task_committed")).toHaveLength(4);
});

thorough(
  "one task at a time is as it always was: no claim, no merge, no other work tree",
  async () => {
    await using project = await createProject({ tasks: sideBySide(2) });
    const { exitCode, events } = await project.run("--parallel", "1");
    expect(exitCode).toBe(0);
    const types = new Set(events.map(({ type }) => type));
    expect(types.has("task_claimed")).toBe(false);
    expect(types.has("task_merged")).toBe(false);
  },
);

thorough(
  "a task that fails leaves the others of its priority alone; its work is kept: exit 3",
  async () => {
    const review = `if [ "$task" = T-002 ]; then signal review-rejected; else honest; fi`;
    const config = { limits: { max_iterations: 1, parallel: 3 } };
    await using project = await createProject({ tasks: sideBySide(3), agent: { review }, config });
    const { exitCode, facts } = await project.run();
    expect(exitCode).toBe(3);
    const [failed] = facts("task_failed");
    expect(project.git("ls-tree", "--name-only", `${failed?.kept}:src`)).toContain("T-002.txt");
    expect(project.git("ls-files", "src").split("\n")).toEqual(["src/T-001.txt", "src/T-003.txt"]);
    expect(project.git("status", "--porcelain")).toBe("");
    expect(workersLeft(project)).toEqual([]);
  },
);

thorough("setup runs once in each work tree, and what it installs is there for gates", async () => {
  const setup = [{ name: "install", cmd: "mkdir -p cache; echo x >>cache/runs" }];
  const config = { setup };
  const gates = { installed: `test "$(wc -l <cache/runs)" = 1` };
  const files = { ".gitignore": "cache/\n" };
  await using project = await createProject({ tasks: sideBySide(4), config, gates, files });
  const { exitCode, facts } = await project.run("--parallel", "2");
  expect(exitCode).toBe(0);
  expect(
    facts("setup_end")
      .map(({ worker }) => worker ?? "project")
      .sort(),
  ).toEqual(["agent-1", "agent-2", "project"]);
});

thorough("a setup step that fails in a worker's work tree ends the session: exit 1", async () => {
  const config = { setup: [{ name: "install", cmd: `case $PWD in */agent-2/*) exit 3 ;; esac` }] };
  await using project = await createProject({ tasks: sideBySide(2), config });
  const { exitCode, state } = await project.run("--parallel", "2");
  expect(exitCode).toBe(1);
  expect(state.end?.message).toBe('Setup step "install" failed in the work tree of agent-2.');
});

thorough("installed packages of the project are linked, and the links are no change", async () => {
  const files = { "package.json": "{}\n", ".gitignore": "node_modules/\n" };
  const gates = { packages: "test -e node_modules/left-pad/index.js" };
  await using project = await createProject({ tasks: sideBySide(2), files, gates });
  project.write("node_modules/left-pad/index.js", "");
  const { exitCode } = await project.run("--parallel", "2");
  expect(exitCode).toBe(0);
  expect(project.git("ls-files", "node_modules")).toBe("");
});

thorough("protected files and the test writer's limits hold in each work tree", async () => {
  const agent = {
    implementation: `mkdir -p .github; echo x >.github/evil.yml; honest`,
    test_writing: `echo x >>"src/$task.txt"; honest`,
  };
  const config = { limits: { max_iterations: 1 } };
  await using project = await createProject({ tasks: sideBySide(2), agent, config });
  const { exitCode, facts } = await project.run("--parallel", "2");
  expect(exitCode).toBe(3);
  const ends = facts("agent_end");
  const of = (role: string) => ends.filter((end) => end.role === role);
  expect(of("implementation").map(({ refused }) => refused)).toEqual([
    [".github/evil.yml"],
    [".github/evil.yml"],
  ]);
  expect(
    of("test_writing")
      .flatMap(({ trespassed }) => trespassed)
      .sort(),
  ).toEqual(ids(2).map((id) => `src/${id}.txt`));
});

thorough(
  "an agent's changes to branch, HEAD and files of the project without a sandbox are put back and reported",
  async () => {
    await using project = await createProject({
      tasks: sideBySide(2),
      agent: {
        implementation: `honest
if [ "$task" = T-002 ]; then
  git commit -q --allow-empty -m mine
  git update-ref refs/heads/ralph/example HEAD
  echo stray >"$PROJECT/stray.txt"
fi`,
      },
      agents: { env: ["PROJECT"] },
    });
    const env = { ...project.system.env, PROJECT: project.root };
    Object.assign(project.system, { env });
    const { exitCode, facts, state } = await project.run("--parallel", "2");
    expect(exitCode).toBe(0);
    expect(project.commits()).toHaveLength(2);
    expect(project.git("log", "--format=%s")).not.toContain("mine");
    const [kept] = facts("work_kept");
    expect(project.git("show", `${kept?.tree}:stray.txt`)).toBe("stray");
    expect(state.warnings.join()).toContain("were changed while agents worked");
    const [, moved = "none"] = /was moved to ([0-9a-f]+) while/.exec(state.warnings.join()) ?? [];
    expect(project.git("log", "-1", "--format=%s", moved)).toBe("mine");
    expect(project.git("status", "--porcelain")).toBe("");
  },
);

test("an edited status file ends the session, and the others with it: exit 6", async () => {
  const implementation = `
begun="$RALPH_SESSION_DIR/../../begun"
if [ "$task" = T-001 ]; then
  while [ ! -e "$begun" ]; do sleep 0.05; done
  echo '{}' >"$RALPH_SESSION_DIR/task-status.json"; honest
else touch "$begun"; sleep 1000; fi`;
  await using project = await createProject({ tasks: sideBySide(3), agent: { implementation } });
  const { exitCode, facts } = await project.run("--parallel", "3");
  expect(exitCode).toBe(6);
  const cancelled = facts("agent_end").filter(({ outcome }) => outcome.kind === "cancelled");
  expect(cancelled.length).toBeGreaterThanOrEqual(1);
});

thorough(
  "agents that fail one after the other open the breaker, in any worker: exit 8",
  async () => {
    await using project = await createProject({ tasks: sideBySide(4), agent: "exit 1" });
    const { exitCode, facts } = await project.run("--parallel", "2");
    expect(exitCode).toBe(8);
    expect(facts("agent_start").length).toBeLessThanOrEqual(4);
  },
);

test("a dry run says which tasks may run side by side", async () => {
  const tasks = [...sideBySide(2), task("T-003", { priority: 2 })];
  await using project = await createProject({ tasks });
  const { stdout } = await project.ralph("run", "--dry-run", "--parallel", "2");
  expect(stdout).toContain(
    "In parallel, at most 2 at a time, group by group:\n  T-001, T-002\n  T-003\n",
  );
  expect((await project.ralph("run", "--dry-run")).stdout).not.toContain("Side by side");
});
