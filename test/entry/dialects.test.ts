import { describe, expect, test } from "vitest";
import { createRalphState, writeRalphState } from "../../src/omc/index.ts";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";

const tasks = [task("T-001"), task("T-002")];
const emitting = { tasks, config: { compat: { emit: ["omc"] } } };

describe("files for other tools", () => {
  test("are written during the run, and are not part of any commit", async () => {
    await using project = await createProject(emitting);
    const { exitCode, state } = await project.run();
    expect(exitCode).toBe(0);
    const shown = JSON.parse(project.read(".omc/ralph-state.json"));
    expect(shown).toMatchObject({
      active: false,
      iteration: 2,
      session_id: state.session.session_id,
      current_story_id: null,
    });
    expect(project.git("log", "--all", "--name-only", "--format=")).not.toContain(".omc");
    expect(project.git("status", "--porcelain")).toBe("");
  });

  test("are not written for a tool that is not configured", async () => {
    await using project = await createProject({ tasks });
    await project.run();
    expect(() => project.read(".omc/ralph-state.json")).toThrow();
  });

  test("that are broken end the run before an agent is called, with a remedy (exit 2)", async () => {
    const sound = JSON.stringify({ ...createRalphState("old", "p"), active: false });
    await using project = await createProject({
      ...emitting,
      files: { ".omc/ralph-state.json": sound },
    });
    const good = project.git("rev-parse", "--short=12", "HEAD~1").trim();
    project.write(".omc/ralph-state.json", "{broken");
    project.git("commit", "-qam", "broken");
    const { exitCode, stderr } = await project.ralph("run");
    expect(exitCode).toBe(2);
    expect(stderr).toContain(".omc/ralph-state.json is a file of omc that cannot be used");
    expect(stderr).toContain(`git checkout ${good} -- .omc/ralph-state.json`);
    expect(project.read(".omc/ralph-state.json")).toBe("{broken");
  });

  test("that show an active run keep ralph from starting (exit 24), until it is cancelled", async () => {
    await using project = await createProject(emitting);
    writeRalphState(project.root, createRalphState("theirs", "p"));
    const refused = await project.ralph("run");
    expect(refused.exitCode).toBe(24);
    expect(refused.stderr).toContain(
      "omc is working on this project: run theirs (iteration 0 of 50)",
    );
    expect((await project.ralph("status")).stdout).toContain("Other    omc: theirs executing");
    const cancelled = await project.ralph("cancel", "--session", "theirs");
    expect(cancelled.stdout).toContain("omc theirs");
    expect((await project.run()).exitCode).toBe(0);
  });
});
