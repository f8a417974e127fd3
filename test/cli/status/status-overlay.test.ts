import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { endOf, startCommand } from "../../support/project/command.ts";
import { createProject } from "../../support/project/project.ts";

const one = { tasks: [task("T-001")] };
const atWork = {
  active: true,
  iteration: 3,
  max_iterations: 50,
  current_phase: "executing",
  started_at: "2026-01-25T14:30:52Z",
};

test("where nothing is at work the block says so", async () => {
  await using project = await createProject(one);
  const { stdout, exitCode } = await project.ralph("status", "--overlay");
  expect(exitCode).toBe(0);
  expect(stdout).toBe(
    "<!-- ralph:active:start -->\n**Active Modes:**\n- none\n<!-- ralph:active:end -->\n",
  );
});

test("modes of other tools are listed once, the session before the root; broken files go to stderr", async () => {
  await using project = await createProject(one);
  const write = (path: string, value: object) => project.write(path, JSON.stringify(value));
  write(".omx/state/session.json", { session_id: "s1" });
  write(".omx/state/sessions/s1/ralph-state.json", { ...atWork, iteration: 7 });
  write(".omx/state/ralph-state.json", atWork);
  write(".omx/state/ultrawork-state.json", { active: true });
  write(".omx/state/team-state.json", { active: 1 });
  const { stdout, stderr } = await project.ralph("status", "--overlay");
  expect(stdout).toMatchInlineSnapshot(`
    "<!-- ralph:active:start -->
    **Active Modes:**
    - omx s1: executing, iteration 7 of 50
    - omx: executing, ultrawork
    <!-- ralph:active:end -->
    "
  `);
  expect(stderr).toContain(
    "Warning: .omx/state/team-state.json:1:2: active must be true or false, not 1\n",
  );
  expect(stderr).toContain(
    "Warning: .omx/state/ralph-state.json:1:2: active must be false: ultrawork is active too",
  );
  const { modes } = JSON.parse((await project.ralph("status", "--overlay", "--json")).stdout);
  expect(modes).toContainEqual({
    name: "omx s1",
    phase: "executing",
    detail: "iteration 7 of 50",
  });
});

test("a running ralph session is listed once, even when other tools see it too", async () => {
  const agent = "touch ../started; while [ ! -e ../go ]; do sleep 0.05; done; honest";
  await using project = await createProject({
    ...one,
    agent,
    config: { compat: { emit: ["claude-ralph", "omc", "omx", "agent-teams"] } },
  });
  const place = { cwd: project.root, env: project.system.env };
  const session = endOf(await startCommand(place, ["run"]));
  const isStarted = () => existsSync(join(project.folder, "started"));
  await expect.poll(isStarted).toBe(true);
  const { stdout } = await project.ralph("status", "--overlay");
  expect(stdout.split("\n").slice(2, -2)).toEqual([
    expect.stringMatching(/^- ralph \S+: executing, 0 of 1 tasks passed, T-001 at work$/),
  ]);
  project.write("../go", "");
  expect((await session).exitCode).toBe(0);
  expect((await project.ralph("status", "--overlay")).stdout).toContain("- none");
});

test.each(["--watch", "--line", "--timeline"])("%s does not go with it: exit 1", async (option) => {
  await using project = await createProject(one);
  const { exitCode, stderr } = await project.ralph("status", "--overlay", option);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`--overlay and ${option} exclude each other.`);
});
