import { expect, test } from "vitest";
import { thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { addFiltered, addLfs, large, small } from "../support/project/filtered.ts";
import { createProject } from "../support/project/project.ts";

const one = { tasks: [task("T-001", { requiresTests: false })] };

test.each([
  ["a plain filter", addFiltered, small],
  ["git-lfs", addLfs, /^version/],
])(
  "where files of %s were just checked out, tasks pass and these files stay",
  async (_, add, kept) => {
    await using project = await createProject(one);
    add(project);
    const { exitCode, stderr } = await project.run();
    expect(stderr).not.toContain("not clean");
    expect(exitCode).toBe(0);
    expect(project.read("big.bin")).toBe(large);
    expect(`${project.git("show", "HEAD:big.bin")}\n`).toMatch(kept);
    expect(project.git("status", "--porcelain")).toBe("");
  },
);

test("an agent's change of a git-lfs file is refused by name, and its content is put back", async () => {
  const agent = { implementation: "echo x >big.bin; honest", review: "rm big.bin; honest" };
  await using project = await createProject({ ...one, agent });
  addLfs(project);
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("agent_end").map(({ refused }) => refused)).toEqual([["big.bin"], ["big.bin"]]);
  expect(project.read("big.bin")).toBe(large);
  expect(project.git("log", "--format=%s", "--", "big.bin")).toBe("a large file");
  expect(project.git("status", "--porcelain")).toBe("");
});

thorough(
  "a failed task leaves them as they are, and so does going on with the session",
  async () => {
    const tasks = [
      task("T-001", { requiresTests: false }),
      task("T-002", { requiresTests: false }),
    ];
    const agent = { implementation: "[ $task = T-001 ] || [ -e ../go ] || exit 1; honest" };
    await using project = await createProject({ tasks, agent });
    addLfs(project);
    expect((await project.run()).exitCode).not.toBe(0);
    expect(project.read("big.bin")).toBe(large);
    project.write("../go", "");
    expect((await project.run("--resume")).exitCode).toBe(0);
    expect(project.read("big.bin")).toBe(large);
    expect(project.git("status", "--porcelain")).toBe("");
  },
);
