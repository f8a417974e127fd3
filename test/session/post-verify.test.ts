import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sampled, thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";
import { chromium } from "../support/services/chromium.ts";
import { webAppFiles, webAppServices } from "../support/services/web-app.ts";

const tests = [{ name: "dashboard", action: 'click_tab("Dashboard")', expected: "Sales" }];

const createWebProject = async (config: object = {}) =>
  createProject({
    tasks: [task("T-001")],
    files: webAppFiles(),
    config: { services: await webAppServices(), ...config },
  });

describe.skipIf(!chromium)("a run whose browser tests are enabled", () => {
  test("ends with exit 5 when one is red; the task stays passed, and its picture is there", async () => {
    await using project = await createWebProject({
      ui: { agent_browser: { enabled: true, tests } },
    });
    const { exitCode, stdout, facts } = await project.run();
    expect(exitCode, stdout).toBe(5);
    expect(stdout).toContain("The task passed. Not verified: browser failed.");
    expect(project.prd().tasks).toMatchObject([{ id: "T-001", passes: true }]);
    expect(facts("verify_phase_end").map(({ phase, status }) => `${phase} ${status}`)).toEqual([
      "services passed",
      "browser failed",
    ]);
    expect(readdirSync(`${project.root}/.ralph-session/artifacts/screenshots`)).toEqual([
      "001-dashboard.png",
    ]);
    expect(JSON.parse(project.read(".ralph-session/run-record.json"))).toMatchObject({
      stop_reason: "post_verify",
      verification: { level: "ui", status: "failed", passed: 0, failed: 1 },
    });
    const timeline = project.read(".ralph-session/logs/timeline.jsonl");
    for (const name of ["service_ready", "ui_test_start", "ui_test_fail"]) {
      expect(timeline).toContain(`"event":"${name}"`);
    }
    expect((await project.ralph("audit")).exitCode).toBe(0);
  });

  thorough("looks at the program again when it continues, not at the old result", async () => {
    await using project = await createWebProject({
      ui: { agent_browser: { enabled: true, tests } },
    });
    expect((await project.run()).exitCode).toBe(5);
    const again = await project.run("--resume");
    expect(again.exitCode).toBe(5);
    expect(again.facts("verify_phase_end")).toHaveLength(4);
  });

  thorough("leaves them out when asked", async () => {
    await using project = await createWebProject({
      ui: { agent_browser: { enabled: true, tests } },
    });
    const { exitCode, facts } = await project.run("--no-post-verify");
    expect(exitCode).toBe(0);
    expect(facts("service_start")).toEqual([]);
  });
});

test.each(sampled(["--no-ui-verify", "--no-smoke"], 1))(
  "%s leaves enabled browser tests out",
  async (flag) => {
    await using project = await createWebProject({
      ui: { agent_browser: { enabled: true, tests } },
    });
    const { exitCode, facts } = await project.run(flag);
    expect(exitCode).toBe(0);
    expect(facts("ui_test_start")).toEqual([]);
  },
);

test("services alone are verified when a flag asks, and a broken one is exit 9", async () => {
  await using project = await createWebProject();
  project.write("backend.mjs", "console.log('no database'); process.exit(3);\n");
  project.git("commit", "-qam", "broken");
  const { exitCode, stdout } = await project.run("--post-verify");
  expect(exitCode, stdout).toBe(9);
  expect(stdout).toContain("backend: it ended with exit code 3");
});

test.each([
  ["--ui-verify", "ui.agent_browser has neither tests nor a script"],
  ["--robot-verify", "ui.robot.suite is not set"],
  ["--with-smoke", "ui.agent_browser has neither tests nor a script"],
  ["--with-robot", "ui.robot.suite is not set"],
])("%s without its configuration is refused before anything is paid for", async (flag, message) => {
  await using project = await createWebProject();
  const { exitCode, stderr } = await project.ralph("run", flag);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(message);
});
