import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { isPortOpen } from "../../../src/platform/net/is-port-open.ts";
import { thorough } from "../../setup/sampled.ts";
import { createProject, type Project } from "../../support/project/project.ts";
import { chromium } from "../../support/services/chromium.ts";
import { webAppFiles, webAppServices } from "../../support/services/web-app.ts";

const tests = [
  { name: "app_loads", action: "open", expected: "navigation|header|sidebar" },
  { name: "dashboard", action: 'click_tab("Dashboard")', expected: "Dashboard heading" },
  {
    name: "Save ::error:: ../../x",
    action: 'open; fill("Name", "Bob"); click("Save")',
    expected: "Saved",
  },
];

type More = { files?: Record<string, string>; gates?: Record<string, string>; ui?: object };

async function createWebProject({ files, gates, ui }: More = {}) {
  const services = await webAppServices();
  const project = await createProject({
    files: { ...webAppFiles(), ".gitignore": ".ralph-session/\n", ...files },
    gates: gates ?? { check: "true" },
    config: { services, ui: ui ?? { agent_browser: { enabled: true, tests } } },
  });
  return { project, services };
}

const sessionFile = (project: Project, path: string) => `${project.root}/.ralph-session/${path}`;
const page = webAppFiles()["index.html"] ?? "";
const broken = { "index.html": page.replace("Dashboard heading", "Dashbord") };

describe.skipIf(!chromium)("ralph verify with browser tests", () => {
  test("verifies gates, services and pages, and leaves nothing running or changed", async () => {
    const { project, services } = await createWebProject();
    await using _ = project;
    const { exitCode, stdout } = await project.ralph("verify");
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toContain("Verified: gates, services, browser.");
    expect(readdirSync(sessionFile(project, "artifacts/screenshots"))).toEqual([
      "001-app-loads.png",
      "002-dashboard.png",
      "003-save-error-x.png",
    ]);
    expect(readdirSync(sessionFile(project, "pids"))).toEqual([]);
    expect(readFileSync(sessionFile(project, "logs/service-backend.log"), "utf8")).toContain(
      `backend on ${services.backend.port}`,
    );
    expect(await isPortOpen(services.backend.port)).toBe(false);
    expect(await isPortOpen(services.frontend.port)).toBe(false);
    expect(project.git("status", "--porcelain")).toBe("");
  });

  thorough("a page without the expected text is exit 5, with picture and snapshot", async () => {
    const { project } = await createWebProject({ files: broken });
    await using _ = project;
    const { exitCode, stdout } = await project.ralph("verify", "--json");
    expect(exitCode).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({
      stop_reason: "post_verify",
      tests: [
        { test: "app_loads", status: "passed" },
        {
          test: "dashboard",
          status: "failed",
          detail: expect.stringMatching(
            /^nothing on the page matches "Dashboard heading" after 5 s\nnearest: .*\nthe page: .*\nit shows: /,
          ),
        },
        { status: "passed" },
      ],
    });
    const picture = readFileSync(sessionFile(project, "artifacts/screenshots/002-dashboard.png"));
    expect(picture.subarray(1, 4).toString()).toBe("PNG");
    const snapshot = sessionFile(project, "artifacts/snapshots/002-dashboard.txt");
    expect(readFileSync(snapshot, "utf8")).toContain('- heading "Dashbord"');
  });
});

test("a red gate is exit 4, and nothing starts", async () => {
  const { project } = await createWebProject({ gates: { check: "echo bad; exit 1" }, ui: {} });
  await using _ = project;
  const { exitCode, stdout } = await project.ralph("verify");
  expect(exitCode).toBe(4);
  expect(stdout).toContain("Not verified: gates failed.");
  expect(stdout).not.toContain("is up on");
});

thorough("services alone are verified too, without gates when asked", async () => {
  const { project } = await createWebProject({ gates: { check: "exit 1" }, ui: {} });
  await using _ = project;
  const { exitCode, stdout } = await project.ralph("verify", "--gates", "none");
  expect(exitCode, stdout).toBe(0);
  expect(stdout).toContain("Verified: services.");
});

test("a taken port is exit 9 with the program that holds it", async () => {
  const { project, services } = await createWebProject({ ui: {} });
  await using _ = project;
  const holder = createServer().listen(services.frontend.port, "127.0.0.1");
  const { exitCode, stdout } = await project.ralph("verify");
  holder.close();
  expect(exitCode).toBe(9);
  expect(stdout).toContain(`frontend: port ${services.frontend.port} is taken by`);
});

thorough("services that must run already are looked at, not started", async () => {
  const { project, services } = await createWebProject({ ui: {} });
  await using _ = project;
  const { exitCode, stdout } = await project.ralph("verify", "--skip-services");
  expect(exitCode).toBe(9);
  expect(stdout).toContain(`backend: not up on port ${services.backend.port}`);
});

test.each([
  [["--ui"], {}, "ui.agent_browser has neither tests nor a script"],
  [["--robot"], {}, "ui.robot.suite is not set"],
  [["--base-url", "localhost"], {}, "--base-url=localhost must be an address"],
  [
    [],
    { ui: { agent_browser: { enabled: true, tests: [{ name: "a", action: "dance" }] } } },
    "ui.agent_browser.tests[0].action has no verb",
  ],
])("%j is refused before anything starts", async (args, config, message) => {
  await using project = await createProject({ config: { services: {}, ...config } });
  const { exitCode, stderr, stdout } = await project.ralph("verify", ...args);
  expect(exitCode, stdout).toBe(1);
  expect(stderr).toContain(message);
});

test("without Chromium the command stops before anything starts", async () => {
  await using project = await createProject({
    env: { CHROME_PATH: "/nowhere/chromium" },
    config: { services: await webAppServices(), ui: { agent_browser: { enabled: true, tests } } },
  });
  const { exitCode, stderr } = await project.ralph("verify");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("CHROME_PATH is /nowhere/chromium, which is no program.");
});
