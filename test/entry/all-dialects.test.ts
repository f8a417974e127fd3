import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampled, thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";

const names = ["omx", "omc", "claude-ralph", "agent-teams"];
const emitting = {
  tasks: [task("T-001"), task("T-002"), task("T-003")],
  config: { compat: { emit: names } },
};
/** Its second task passes no review. */
const failing = { review: '[ "$task" = T-002 ] && signal review-rejected || claim' };

test("all dialects show the same run, in files that each tool's reader accepts", async () => {
  await using project = await createProject(emitting);
  const { exitCode, state } = await project.run("--from-task", "T-001");
  expect(exitCode).toBe(0);
  const id = state.session.session_id;
  const read = (path: string) => JSON.parse(project.read(path));
  expect(read(`.omx/state/sessions/${id}/ralph-state.json`)).toMatchObject({
    active: false,
    current_phase: "complete",
    iteration: 3,
  });
  expect(read(".omc/ralph-state.json")).toMatchObject({ active: false, iteration: 3 });
  expect(read(".ralph/metrics.json")).toMatchObject({ tasks_completed: 3, tasks_failed: 0 });
  const validated = await project.ralph("validate", "--json");
  expect(JSON.parse(validated.stdout)).toMatchObject({ valid: true });
  expect(project.git("status", "--porcelain")).toBe("");
});

thorough(
  "the state of an agent is born initializing in every part of a session, before its call",
  async () => {
    const written: string[] = [];
    await using project = await createProject({
      ...emitting,
      agent: failing,
      wrap: (system) => ({
        ...system,
        files: (root) => {
          const files = system.files(root);
          return {
            ...files,
            write: (path, content, options) => {
              if (path.endsWith("agent-state-agent-1.json"))
                written.push(JSON.parse(String(content)).status);
              return files.write(path, content, options);
            },
          };
        },
      }),
    });
    for (const args of [["--keep-going"], ["--resume"]]) {
      written.length = 0;
      await project.run(...args);
      const changes = written.filter((status, at) => status !== written[at - 1]);
      expect(changes).toEqual(["initializing", "working", "failed"]);
    }
  },
);

test.each(sampled(["omx", "claude-ralph"], 1))(
  "a run in the files of %s can be imported",
  async (from) => {
    await using project = await createProject({ ...emitting, agent: failing });
    expect((await project.run()).exitCode).toBe(3);
    await using other = await createProject();
    for (const folder of [".omx", ".claude"]) {
      cpSync(join(project.root, folder), join(other.root, folder), { recursive: true });
    }
    const { exitCode, stdout, stderr } = await other.ralph(
      "migrate",
      "--from",
      from,
      "--force",
      "--json",
    );
    expect(stderr).toBe("");
    expect({ exitCode, tasks: JSON.parse(stdout).tasks }).toEqual({ exitCode: 0, tasks: 3 });
    expect(other.prd().tasks.map(({ id, passes }) => [id, passes])).toEqual([
      ["T-001", true],
      ["T-002", false],
      ["T-003", false],
    ]);
  },
);
