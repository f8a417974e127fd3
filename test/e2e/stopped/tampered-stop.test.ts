import { expect, test } from "vitest";
import { canonicalChecksum } from "../../../src/schema/session-files/checksum.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project } from "../../support/project/project.ts";

const stopped = {
  tasks: [task("T-001"), task("T-002")],
  agent: { implementation: '[ "$task" = T-002 ] && [ ! -e ../again ] && exit 1; honest' },
};

const path = ".ralph-session/task-status.json";

function forge(project: Project, { reseal }: { reseal: boolean }): void {
  const status = JSON.parse(project.read(path));
  status.tasks["T-002"] = { ...status.tasks["T-002"], passes: true };
  if (reseal) status.checksum = canonicalChecksum(status);
  project.write(path, JSON.stringify(status));
}

test.each([false, true])(
  "a task status that was edited while the session was stopped ends its resumption (exit 6, new checksum: %s)",
  async (reseal) => {
    await using project = await createProject(stopped);
    expect((await project.run()).exitCode).not.toBe(0);
    forge(project, { reseal });
    project.write("../again", "");
    const { exitCode, state, events } = await project.run("--resume");
    expect(exitCode).toBe(6);
    expect(state.tampering?.message).toContain("was changed while the session was stopped");
    const timeline = project.read(".ralph-session/logs/timeline.jsonl");
    expect(timeline).toContain('"event":"checksum_failed"');
    expect(timeline).not.toContain('"event":"checksum_verified"');
    expect(events.some(({ type }) => type === "task_passed" && "T-002")).toBe(true);
    expect(JSON.parse(project.read(path)).tasks["T-002"].passes).toBe(false);
  },
);

test("an untouched one is checked, and the timeline says so", async () => {
  await using project = await createProject(stopped);
  await project.run();
  project.write("../again", "");
  const { exitCode } = await project.run("--resume");
  expect(exitCode).toBe(0);
  const timeline = project.read(".ralph-session/logs/timeline.jsonl");
  expect(timeline).toContain('"event":"checksum_verified"');
});
