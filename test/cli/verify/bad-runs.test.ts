import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runsAll, sampled, thorough } from "../../setup/sampled.ts";
import { createProject, type ProjectOptions } from "../../support/project/project.ts";
import { createTestSystem } from "../../support/project/system.ts";
import { chromium } from "../../support/services/chromium.ts";
import { webAppFiles, webAppServices } from "../../support/services/web-app.ts";

type More = { files?: Record<string, string>; ui?: object; env?: ProjectOptions["env"] };

const open = { name: "slow", action: "open; wait(4000)", expected: "Users" };
const agentBrowser = (more: object) => ({ agent_browser: { enabled: true, ...more } });

const createWebProject = async ({ files, ui = {}, env = {} }: More) =>
  createProject({
    files: { ...webAppFiles(), ...files },
    config: { services: await webAppServices(), ui },
    env,
  });

/** A backend that also does something when it is asked for its users, which a page does while it loads. */
const onceAsked = (also: string) =>
  webAppFiles()["backend.mjs"]?.replace("answer(200, users);", `answer(200, users), ${also};`) ??
  "";

describe.skipIf(!chromium)("browser tests", () => {
  test("are broken off when a service ends: the test under way fails, and the exit code is 9", async () => {
    const dying = onceAsked(
      'setTimeout(() => { console.log("out of memory"); process.exit(9); }, 300)',
    );
    const tests = [
      { ...open, action: "open; wait(9000); wait(9000)" },
      { ...open, name: "next" },
    ];
    await using project = await createWebProject({
      files: { "backend.mjs": dying },
      ui: agentBrowser({ tests }),
    });
    const { exitCode, stdout } = await project.ralph("verify", "--json");
    expect(exitCode, stdout).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject({
      phases: [
        { phase: "gates" },
        { phase: "services", detail: expect.stringMatching(/exit code 9\n(?:.*\n)*out of memory/) },
      ],
      tests: [
        { test: "slow", status: "failed", detail: "the service backend ended during this test" },
      ],
    });
  });

  thorough.each(
    sampled(
      [
        ["once is started again", "1", 0, "✓ slow"],
        ["each time fails the test", "9", 5, "✗ slow: the browser ended"],
      ],
      1,
    ),
  )("with a browser that ends by itself: one that ends %s", async (_, deaths, code, line) => {
    await using machine = await createTestSystem();
    const asked = `${machine.root}/asked`;
    // It dies a moment after its page has loaded, as if the machine's memory had run out.
    const fragile = `#!/bin/bash
left=$(cat "$0.left" 2>/dev/null || echo ${deaths})
echo $((left - 1)) >"$0.left"
[ "$left" -gt 0 ] || exec ${chromium} "$@"
${chromium} "$@" &
until [ -e ${asked} ]; do sleep 0.1; done
rm ${asked}
sleep 1
kill -KILL $!
`;
    const program = `${machine.root}/fragile`;
    writeFileSync(program, fragile, { mode: 0o755 });
    const ui = agentBrowser({ tests: [open] });
    const files = {
      "backend.mjs": onceAsked(`(await import("node:fs")).writeFileSync("${asked}", "")`),
    };
    await using project = await createWebProject({ files, ui, env: { CHROME_PATH: program } });
    const { exitCode, stdout } = await project.ralph("verify");
    expect(stdout).toContain(line);
    expect(exitCode).toBe(code);
  });
});

test.runIf(chromium && runsAll)(
  "names of tests are inert text, and short names of files",
  async () => {
    const names = ["\u001b[31m\u0007 red", "../../x", "::error::stop", "n".repeat(10_000)];
    const tests = names.map((name) => ({ name, action: "open", expected: "Users" }));
    await using project = await createWebProject({ ui: agentBrowser({ tests }) });
    const { exitCode, stdout } = await project.ralph("verify");
    expect(exitCode).toBe(0);
    expect(stdout.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(stdout).not.toMatch(/^::/m);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThan(1000);
    expect(readdirSync(`${project.root}/.ralph-session/artifacts/screenshots`)).toEqual([
      "001-31m-red.png",
      "002-x.png",
      "003-error-stop.png",
      `004-${"n".repeat(40)}.png`,
    ]);
  },
);

test("a command without {port} is warned about before the services start", async () => {
  const services = await webAppServices();
  const { port } = services.backend;
  const start = { dev: services.backend.start.dev.replace("{port}", String(port)) };
  const backend = { ...services.backend, start };
  await using project = await createProject({
    files: webAppFiles(),
    config: { services: { backend } },
  });
  const verified = await project.ralph("verify");
  const warning = `The command of services.backend does not contain {port}; it must listen on ${port} by itself.`;
  expect(verified.exitCode).toBe(0);
  expect(verified.stderr).toContain(warning);
  const { exitCode, facts } = await project.run("--post-verify");
  expect(exitCode).toBe(0);
  expect(facts("warning").map(({ message }) => message)).toContain(warning);
});

describe("the project's own script", () => {
  const script = (text: string) => ({
    files: { "ui_tests/run.sh": text },
    ui: agentBrowser({ script: "ui_tests/run.sh" }),
  });
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk";

  test("is given the address and a folder whose pictures are kept", async () => {
    const text = `curl -sf "$BASE_URL/" | grep Users
echo ${png} | base64 -d >"$RALPH_ARTIFACTS/home.png"
echo text >"$RALPH_ARTIFACTS/fake.png"
ln -s home.png "$RALPH_ARTIFACTS/link.png"`;
    await using project = await createWebProject(script(text));
    const { exitCode, stdout } = await project.ralph("verify");
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toContain("✓ ui_tests/run.sh");
    const folder = `${project.root}/.ralph-session/artifacts/screenshots`;
    expect(readdirSync(folder)).toEqual(["home.png"]);
    expect(readFileSync(`${folder}/home.png`).subarray(1, 4).toString()).toBe("PNG");
    expect(readdirSync(`${project.root}/.ralph-session`).toString()).not.toContain("ralph-tmp");
  });

  test("decides by its exit code", async () => {
    await using project = await createWebProject(script("echo no button; exit 3"));
    const { exitCode, stdout } = await project.ralph("verify");
    expect(exitCode).toBe(5);
    expect(stdout).toContain("✗ ui_tests/run.sh: exit code 3");
    expect(stdout).toContain("no button");
  });

  test("needs agent-browser only when it calls it", async () => {
    await using project = await createWebProject(script('agent-browser open "$BASE_URL"'));
    for (const command of ["verify", "run"]) {
      const { exitCode, stderr } = await project.ralph(command);
      expect(exitCode).toBe(1);
      expect(stderr).toContain("ui_tests/run.sh calls agent-browser, and this machine has no such");
    }
  });

  test("must exist", async () => {
    await using project = await createWebProject({ ui: agentBrowser({ script: "gone.sh" }) });
    const { exitCode, stderr } = await project.ralph("verify");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("ui.agent_browser.script is gone.sh, and there is no such file.");
  });
});
