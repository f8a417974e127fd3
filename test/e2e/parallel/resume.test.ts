import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { RunEvent } from "../../../src/core/state/event.ts";
import { replayJournal } from "../../../src/journal/journal.ts";
import { createFiles } from "../../../src/platform/fs/files.ts";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { endOf, startCommand } from "../../support/project/command.ts";
import { createProject, type Project, sessionFolders } from "../../support/project/project.ts";

const tasks = ["T-001", "T-002"].map((id) => task(id, { priority: 1 }));

/** Two agents that have begun their work and do not end, until a file says that all is well again. */
async function createHangingProject(): Promise<Project> {
  const agent = {
    implementation: `
if [ -e "$PROJECT/../calm" ]; then honest; exit; fi
mkdir -p src; echo half >"src/$task.half"; touch "$PROJECT/../begun-$task"; sleep 1000`,
  };
  const project = await createProject({
    tasks,
    agent,
    agents: { env: ["PROJECT"] },
    config: { limits: { parallel: 2 } },
  });
  return project;
}

const envOf = (project: Project) => ({ ...project.system.env, PROJECT: project.root });

async function startBoth(project: Project) {
  const child = await startCommand({ cwd: project.root, env: envOf(project) }, ["run"]);
  const ended = endOf(child);
  const begun = () => tasks.every(({ id }) => existsSync(join(project.root, `../begun-${id}`)));
  while (!begun()) await sleep(20);
  return { child, ended };
}

/** The work of both, by task, as the journal of the first session says it was kept. */
async function keptIn({ stateDir, git }: Project): Promise<string[]> {
  const [folder = ""] = sessionFolders(stateDir);
  const events: RunEvent[] = [];
  await replayJournal(createFiles(folder), (event) => void events.push(event));
  const kept = events.flatMap((event) => (event.type === "work_kept" ? [event] : []));
  return kept.map((event) => `${event.task} ${git("ls-tree", "--name-only", `${event.tree}:src`)}`);
}

const both = ["T-001 T-001.half", "T-002 T-002.half"];

const workersLeft = ({ stateDir }: Project) =>
  readdirSync(stateDir, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\/workers\/./.test(path),
  );

test("killed, the work of every running task is kept when the session continues, and each starts again", async () => {
  await using project = await createHangingProject();
  const { child, ended } = await startBoth(project);
  child.kill("SIGKILL");
  await ended;
  project.write("../calm", "");
  Object.assign(project.system, { env: envOf(project) });
  const { exitCode, facts } = await project.run("--resume");
  expect(exitCode).toBe(0);
  expect((await keptIn(project)).sort()).toEqual(both);
  expect(facts("session_resume")).toMatchObject([{ queue_attempts: 3 }]);
  expect(facts("task_committed")).toHaveLength(2);
  expect(project.git("ls-files", "src")).toBe("src/T-001.txt\nsrc/T-002.txt");
  expect(workersLeft(project)).toEqual([]);
  expect((await project.ralph("audit")).exitCode).toBe(0);
});

thorough(
  "killed, and a new session started instead: the work is kept too, and nothing is left over",
  async () => {
    await using project = await createHangingProject();
    const { child, ended } = await startBoth(project);
    child.kill("SIGKILL");
    await ended;
    project.write("../calm", "");
    Object.assign(project.system, { env: envOf(project) });
    const { exitCode } = await project.run();
    expect(exitCode).toBe(0);
    expect((await keptIn(project)).sort()).toEqual(both);
    expect(workersLeft(project)).toEqual([]);
    expect(project.git("status", "--porcelain")).toBe("");
  },
);

thorough(
  "killed, and its journal broken: a new session leaves alone what lies there, until the old one is cleaned away",
  async () => {
    await using project = await createHangingProject();
    const { child, ended } = await startBoth(project);
    child.kill("SIGKILL");
    await ended;
    const [folder = ""] = sessionFolders(project.stateDir);
    const journal = join(folder, "journal.jsonl");
    writeFileSync(journal, readFileSync(journal, "utf8").replace("task_claimed", "task_clamied"));
    project.write("../calm", "");
    Object.assign(project.system, { env: envOf(project) });
    expect((await project.run()).exitCode).toBe(0);
    expect(workersLeft(project).some((path) => path.endsWith("src/T-001.half"))).toBe(true);
    expect((await project.ralph("clean", "--keep", "1")).exitCode).toBe(0);
    expect(workersLeft(project)).toEqual([]);
  },
);

/** A private git directory of a worker's. */
const gitOf = (project: Project, worker: string) =>
  join(
    project.stateDir,
    workersLeft(project).find((path) => path.endsWith(`/${worker}/git/index`)) ?? "none",
    "..",
  );

thorough("killed, and the index of a work tree broken: its files still show the work", async () => {
  await using project = await createHangingProject();
  const { child, ended } = await startBoth(project);
  child.kill("SIGKILL");
  await ended;
  writeFileSync(join(gitOf(project, "agent-1"), "index"), "broken");
  project.write("../calm", "");
  Object.assign(project.system, { env: envOf(project) });
  expect((await project.run("--resume")).exitCode).toBe(0);
  expect((await keptIn(project)).sort()).toEqual(both);
});

thorough(
  "killed, and a work tree broken beyond that: a new session leaves it alone and begins",
  async () => {
    await using project = await createHangingProject();
    const { child, ended } = await startBoth(project);
    child.kill("SIGKILL");
    await ended;
    writeFileSync(join(gitOf(project, "agent-1"), "config"), "[broken");
    project.write("../calm", "");
    Object.assign(project.system, { env: envOf(project) });
    expect((await project.run()).exitCode).toBe(0);
    expect(workersLeft(project).some((path) => path.endsWith("src/T-001.half"))).toBe(true);
  },
);

thorough(
  "cancelled, all agents end, their work is kept, and the session can be resumed",
  async () => {
    await using project = await createHangingProject();
    const { child, ended } = await startBoth(project);
    child.kill("SIGINT");
    expect((await ended).exitCode).toBe(7);
    expect((await keptIn(project)).sort()).toEqual(both);
    expect(workersLeft(project)).toEqual([]);
    expect(project.git("status", "--porcelain")).toBe("");
    project.write("../calm", "");
    Object.assign(project.system, { env: envOf(project) });
    expect((await project.run("--resume")).exitCode).toBe(0);
  },
);

thorough("a second one on the same repository learns who is at work: exit 24 (F12)", async () => {
  await using project = await createHangingProject();
  const { child, ended } = await startBoth(project);
  const second = await project.ralph("run", "--parallel", "4");
  child.kill("SIGINT");
  await ended;
  expect(second.exitCode).toBe(24);
  const [session = ""] = sessionFolders(project.stateDir);
  expect(second.stderr).toContain(`session ${session.slice(session.lastIndexOf("/") + 1)}`);
  expect(readFileSync(join(session, "journal.jsonl"), "utf8")).toContain("task_claimed");
});

test("a task that failed too often is not started again and is reported; its work is named as its own", async () => {
  const review = `if [ "$task" = T-001 ]; then signal review-rejected; else honest; fi`;
  const limits = { max_iterations: 1, queue_attempts: 1, parallel: 2 };
  await using project = await createProject({ tasks, agent: { review }, config: { limits } });
  const { facts, state, stdout } = await project.run();
  const [failed] = facts("task_failed");
  const [, diff = "none"] = /git (diff \S+ \S+)/.exec(stdout) ?? [];
  const files = ["src/T-001.txt", "tests/T-001.test.txt"];
  expect(project.git(...diff.split(" "), "--name-only").split("\n")).toEqual(files);
  expect(diff).toContain(failed?.kept);
  expect(state.end?.message).toBe("Failed: T-001.");
  const resumed = await project.run("--resume");
  expect(resumed.facts("agent_start")).toHaveLength(facts("agent_start").length);
  expect(resumed.stderr + resumed.stdout).toContain(
    "`limits.queue_attempts` (1) is used up: T-001.",
  );
});
