import { once } from "node:events";
import { expect, test } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { createAutopilotProject, goodAnswer, say } from "../../support/autopilot/project.ts";
import { endOf, runCommand, startCommand } from "../../support/project/command.ts";
import type { Project } from "../../support/project/project.ts";

const placeOf = ({ root, system }: Project) => ({ cwd: root, env: system.env });
/** The first question is answered, the second never. */
const turns = [say(goodAnswer), { say: "", breaks: "hang" } as const, say(goodAnswer)];

test("status shows the planning of an autopilot run, which can be cancelled and resumed", async () => {
  await using project = await createAutopilotProject({ turns });
  const running = endOf(await startCommand(placeOf(project), ["autopilot"]));
  await expect.poll(() => project.model.asks.length).toBe(2);
  const { stdout } = await project.ralph("status");
  expect(stdout).toMatch(
    /^Run {6}\d{8}-\d{6}-\w+: planning\nNow {6}writing the requirements document, since \S+ \S+ UTC \(\d+/,
  );
  expect(stdout).toContain("Item     Repair the login form\nBranch   ralph/login-form\n");
  expect((await project.ralph("status", "--line")).stdout).toBe("ralph autopilot planning\n");
  expect(JSON.parse((await project.ralph("status", "--json")).stdout)).toMatchObject({
    ...{ liveness: "running", phase: "planning", item: "Repair the login form" },
    activity: "writing the requirements document",
    process: { pid: expect.any(Number) },
  });
  const watcher = await startCommand(placeOf(project), ["status", "--watch", "--line"]);
  const watching = endOf(watcher);
  if (watcher.stdout) await once(watcher.stdout, "data");
  const cancelled = await runCommand(placeOf(project), ["cancel"]);
  expect(cancelled).toMatchObject({ exitCode: 0 });
  expect(cancelled.stdout).toMatch(
    /^Run \S+ has ended: aborted - .*cancelled\.\nContinue with `ralph autopilot --resume`\.$/m,
  );
  expect((await running).exitCode).toBe(7);
  expect(await watching).toMatchObject({
    exitCode: 0,
    stdout: "ralph autopilot planning\nralph autopilot aborted\n",
  });
  expect((await project.ralph("status")).stdout).toMatch(
    /: aborted - [\s\S]*Next {5}Continue with/,
  );

  expect((await project.ralph("autopilot", "--resume")).exitCode).toBe(0);
  expect((await project.ralph("status", "--line")).stdout).toBe("ralph 2/2 completed\n");
});

thorough(
  "a run killed while planning is shown as interrupted; watching continues into its session",
  async () => {
    await using project = await createAutopilotProject({ turns });
    const child = await startCommand(placeOf(project), ["autopilot"]);
    const ended = endOf(child);
    await expect.poll(() => project.model.asks.length).toBe(2);
    child.kill("SIGKILL");
    await ended;
    const { stdout } = await project.ralph("status", "--watch");
    expect(stdout).toContain(": stopped while planning\n");
    expect(stdout).toContain("No process is running. Continue with `ralph autopilot --resume`.");
    expect((await project.ralph("cancel")).stdout).toBe("No session is running.\n");

    const resumed = endOf(await startCommand(placeOf(project), ["autopilot", "--resume"]));
    await expect.poll(() => project.model.asks.length).toBeGreaterThan(2);
    const watched = await runCommand(placeOf(project), ["status", "--watch", "--line"]);
    expect(watched.stdout).toMatch(/ralph 2\/2 completed\n$/);
    expect((await resumed).exitCode).toBe(0);
  },
);
