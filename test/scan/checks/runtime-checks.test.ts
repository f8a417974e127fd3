import { createServer } from "node:http";
import { expect, test } from "vitest";
import type { Check } from "../../../src/scan/check.ts";
import { browser, robot } from "../../../src/scan/checks/browser.ts";
import { ports } from "../../../src/scan/checks/machine.ts";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";
import { freePort } from "../../support/services/scripts.ts";
import { runCheck } from "./run-check.ts";

const tests = [{ name: "home", action: "open" }];
const noChrome = { CHROME_PATH: "/nowhere/chrome" };

async function check(config: Record<string, unknown>, which: Check, env = {}) {
  await using project = await createProject({ tasks: [task("T-001")], config });
  return await runCheck(project, which, { env });
}

test.each([browser, robot, ports])(
  "a project without services passes the check $name",
  async (each) => {
    expect(await check({}, each)).toMatchObject({ status: "pass" });
  },
);

test("a missing Chromium is an error for enabled tests, and a warning for criteria", async () => {
  const services = { web: { start: { dev: "true" }, port: await freePort() } };
  const enabled = { services, ui: { agent_browser: { enabled: true, tests } } };
  expect(await check(enabled, browser, noChrome)).toMatchObject({
    status: "error",
    message: "no Chromium, which the tests of ui.agent_browser need",
  });
  expect(await check({ services }, browser, noChrome)).toMatchObject({ status: "warning" });
});

test.each([
  ["open.sh", "no open.sh, which ui.agent_browser.script names"],
  [".ralph/prd.json", undefined],
  ["calls.sh", "no agent-browser, which calls.sh calls"],
])("the script %s needs what it calls", async (script, message) => {
  const ui = { agent_browser: { enabled: true, script } };
  const files = { "calls.sh": 'agent-browser open "$BASE_URL"\n' };
  await using project = await createProject({ tasks: [task("T-001")], config: { ui }, files });
  const found = await runCheck(project, browser, {});
  expect(found).toMatchObject(message ? { status: "error", message } : { status: "pass" });
});

test("a suite that does not exist is an error", async () => {
  const ui = { robot: { enabled: true, suite: "ui_tests/robot" } };
  const found = await check({ ui }, robot);
  expect(found).toMatchObject({ status: "error", message: "ui_tests/robot does not exist" });
});

test("a taken port is named with its service and the program that holds it", async () => {
  const port = await freePort();
  const holder = createServer().listen(port, "127.0.0.1");
  const found = await check({ services: { web: { start: { dev: "true" }, port } } }, ports);
  holder.close();
  expect(found.status).toBe("warning");
  expect(found.message).toContain(`port ${port} of web is taken by`);
  expect(found.message).toContain(`pid ${process.pid}`);
});
