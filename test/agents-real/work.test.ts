import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Script } from "../support/model-server/script.ts";
import { runCommand } from "../support/project/command.ts";
import { hasBubblewrap } from "../support/project/sandbox.ts";
import { agents, createRealProject, programs, type RealProject } from "./real-agent.ts";

/** A model that does its work, and a reviewer who reads and then tries to write. */
const script: Script = {
  implementation: [
    { say: "I write the file.", do: [{ write: "src/hello.txt", text: "it's there\n" }] },
    { say: "It is written.\n{done}" },
  ],
  test_writing: [
    { do: [{ write: "tests/hello.test.txt", text: "a test\n" }] },
    { say: "It is tested.\n{tests}" },
  ],
  review: [
    { do: [{ read: "src/hello.txt" }] },
    { do: [{ write: "src/reviewer.txt", text: "no\n" }, { run: "touch src/reviewer.txt" }] },
    { say: "I could not write, and all is well.\n{approved}" },
  ],
};

/** What the reviewer's tools answered. */
const reviewed = ({ server }: RealProject) =>
  server.asks.filter(({ role }) => role === "review").at(-1)?.results ?? [];

describe.skipIf(programs === "").each(agents)("the real $driver", (agent) => {
  test("does a task by tool calls; the task passes, is committed, and what it took is recorded", async () => {
    await using project = await createRealProject(agent, script);
    const { exitCode, facts, stderr } = await project.run();
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
    expect(project.commits()).toEqual(["feat(T-001): Title of T-001"]);
    expect(project.git("show", "HEAD:src/hello.txt")).toBe("it's there");
    expect(project.git("show", "HEAD:tests/hello.test.txt")).toBe("a test");
    expect(project.git("status", "--porcelain")).toBe("");
    expect(project.prd().tasks).toMatchObject([{ id: "T-001", passes: true }]);
    const calls = facts("agent_end");
    expect(calls.map(({ signal }) => signal)).toMatchObject([
      { kind: "valid", name: "task-done", body: "## Changes\n- what the script says" },
      { kind: "valid", name: "tests-done" },
      { kind: "valid", name: "review-approved" },
    ]);
    for (const { usage } of calls) expect(usage).toMatchObject(agent.usage);
    // The reviewer tried to write: the program itself refused, and nothing had to be put back.
    expect(calls.at(-1)).toMatchObject({ role: "review", refused: [], trespassed: [] });
    expect(project.git("ls-tree", "-r", "--name-only", "HEAD")).not.toContain("reviewer");
    expect(existsSync(join(project.root, "src/reviewer.txt"))).toBe(false);
  });

  test("is called by the command as a person starts it", async () => {
    await using project = await createRealProject(agent, script);
    const place = { cwd: project.root, env: project.system.env };
    const { exitCode, stdout, stderr } = await runCommand(place, ["run", "--json"]);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "completed", tasks_completed: 1 });
    expect(project.commits()).toEqual(["feat(T-001): Title of T-001"]);
  });

  test.skipIf(!hasBubblewrap)(
    "inside the sandbox: its reviewer reads, and cannot write",
    async () => {
      const sandbox = { mode: "required" };
      await using project = await createRealProject(agent, script, { sandbox });
      const { exitCode, facts, state } = await project.run();
      expect(state.end?.message).toBe("The task passed.");
      expect(exitCode).toBe(0);
      expect(project.git("show", "HEAD:src/hello.txt")).toBe("it's there");
      const [read, ...written] = reviewed(project);
      expect(read).toContain("it's there");
      expect(written).toHaveLength(2);
      for (const result of written) expect(result).toMatch(agent.refusesWriting);
      expect(facts("agent_end").at(-1)).toMatchObject({
        role: "review",
        refused: [],
        trespassed: [],
      });
    },
  );

  test("is called again after its provider refused for a while, and that costs no iteration", async () => {
    const tooOften = { refuse: { status: 429, message: "slow down" } };
    const patient = Array.from({ length: agent.tries }, () => tooOften);
    const turns = [...patient, ...(script.implementation ?? [])];
    await using project = await createRealProject(agent, { ...script, implementation: turns });
    const { exitCode, facts, state } = await project.run();
    expect(exitCode).toBe(0);
    expect(facts("agent_end").map(({ outcome }) => outcome.kind)).toEqual([
      "limited",
      "answered",
      "answered",
      "answered",
    ]);
    expect(facts("wait").map(({ because }) => because)).toEqual(["limit"]);
    expect(state.tasks[0]?.iterations).toBe(1);
  });
});
