import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { addLfs, large } from "../../support/project/filtered.ts";
import { createProject } from "../../support/project/project.ts";

const tasks = ["T-001", "T-002"].map((id) => task(id, { priority: 1, requiresTests: false }));

test("a fault in one work tree ends the session once the others have stopped; it can continue", async () => {
  const implementation = `
if [ -e "$PROJECT/../calm" ]; then honest; exit; fi
if [ "$task" = T-001 ]; then while [ ! -e "$PROJECT/../begun" ]; do sleep 0.05; done; rm -rf ../git; honest
else mkdir -p src; echo half >src/half.txt; touch "$PROJECT/../begun"; sleep 1000; fi`;
  const agents = { env: ["PROJECT"] };
  const config = { limits: { parallel: 2 } };
  await using project = await createProject({ tasks, agent: { implementation }, agents, config });
  Object.assign(project.system, { env: { ...project.system.env, PROJECT: project.root } });
  const broken = await project.run();
  expect(broken.exitCode).toBe(14);
  expect(broken.state.end?.message).toMatch(/not a git repository/i);
  project.write("../calm", "");
  const resumed = await project.run("--resume", "--parallel", "1");
  expect(resumed.exitCode).toBe(0);
  const [kept] = resumed.facts("work_kept");
  expect(kept?.task).toBe("T-002");
  expect(project.git("show", `${kept?.tree}:src/half.txt`)).toBe("half");
  expect(resumed.facts("task_claimed")).toHaveLength(2);
  expect(project.commits()).toHaveLength(2);
  expect(readdirSync(project.stateDir, { recursive: true }).join("\n")).not.toContain("agent-");
  expect((await project.ralph("audit")).exitCode).toBe(0);
});

thorough("files of git-lfs are there in each work tree, and stay what they are", async () => {
  const gates = { content: `grep -q "${large.trim()}" big.bin` };
  await using project = await createProject({ tasks, gates });
  addLfs(project);
  const { exitCode, facts } = await project.run("--parallel", "2");
  expect(exitCode).toBe(0);
  expect(facts("agent_end").flatMap(({ refused }) => refused)).toEqual([]);
  expect(project.read("big.bin")).toBe(large);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("with submodules, which no other work tree would have, only one task runs at a time: exit 1", async () => {
  await using project = await createProject({ tasks });
  project.git("clone", "-q", ".", "library");
  project.git("add", "library");
  project.git("commit", "-qm", "a submodule");
  const { exitCode, state } = await project.run("--parallel", "2");
  expect(exitCode).toBe(1);
  expect(state.end?.message).toContain("has submodules");
});

test("a list whose tasks are all behind one another runs as one by one, in one work tree", async () => {
  const behind = [task("T-001"), task("T-002"), task("T-003")];
  await using project = await createProject({ tasks: behind });
  const { exitCode, facts } = await project.run("--parallel", "8");
  expect(exitCode).toBe(0);
  expect(new Set(facts("task_claimed").map(({ worker }) => worker))).toEqual(new Set(["agent-1"]));
  expect(facts("task_merged")).toEqual([]);
});
