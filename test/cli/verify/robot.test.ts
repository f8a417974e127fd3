import { once } from "node:events";
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { readText } from "../../../src/platform/process/process-table.ts";
import { sampled, thorough } from "../../setup/sampled.ts";
import { createProject, type Project, type ProjectOptions } from "../../support/project/project.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";
import { hasRobot, robotSuite } from "../../support/services/robot.ts";
import { webAppFiles, webAppServices } from "../../support/services/web-app.ts";

const suiteFile = "robot/users.robot";
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

type More = { suite?: string; title?: string; files?: Record<string, string> };

async function createRobotProject(
  { suite = robotSuite, title = "Users", files }: More = {},
  options: ProjectOptions = {},
) {
  // The sandbox shows programs on PATH, wherever they are.
  const services = await webAppServices("node");
  const variables = { API: `http://localhost:${services.backend.port}`, TITLE: title };
  return createProject({
    files: { ...webAppFiles(), [suiteFile]: suite, ...files },
    config: { services, ui: { robot: { enabled: true, suite: "robot", variables } } },
    ...options,
  });
}

const sessionFile = (project: Project, path: string) => `${project.root}/.ralph-session/${path}`;

describe.skipIf(!hasRobot)("ralph verify with Robot Framework", () => {
  test("runs the suite and keeps what it wrote", async () => {
    await using project = await createRobotProject();
    const { exitCode, stdout } = await project.ralph("verify");
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toContain("✓ Users can be listed");
    expect(stdout).toContain("· Not today skipped: later");
    expect(readdirSync(sessionFile(project, "artifacts/robot")).sort()).toEqual([
      "log.html",
      "output.xml",
      "report.html",
    ]);
    expect(existsSync(sessionFile(project, "logs/robot.log"))).toBe(true);
  });

  test.skipIf(!hasBubblewrap).each(sampled(["cage", "none"], 1))(
    "%s: where the network of gates is closed the suite reaches the services, and no other port",
    async (gates) => {
      const secret = createServer((_, response) => response.end("secret")).listen(0, "127.0.0.1");
      await once(secret, "listening");
      const { port } = secret.address() as AddressInfo;
      const suite = robotSuite.replace(
        "*** Keywords ***",
        `Another port of the machine is closed
    \${text}=    Read    http://127.0.0.1:${port}/
    Should Be Equal    \${text}    \${EMPTY}

*** Keywords ***`,
      );
      await using project = await createRobotProject(
        { suite },
        { sandbox: { mode: "required", network: { mode: "host", gates } } },
      );
      const { exitCode, stdout } = await project.ralph("verify");
      secret.close();
      expect(exitCode, stdout).toBe(0);
      expect(stdout).toContain("✓ Users can be listed");
      expect(stdout).toContain("✓ The page is served");
      expect(stdout).toContain("✓ Another port of the machine is closed");
      expect(readdirSync(sessionFile(project, "artifacts/robot"))).toContain("output.xml");
    },
  );

  thorough("pictures that tests took are kept beside the log that shows them", async () => {
    const suite = `*** Settings ***
Library    OperatingSystem

*** Test Cases ***
Takes pictures
    Run    echo ${png} | base64 -d >"\${OUTPUT DIR}/selenium-screenshot-1.png"
    Create File    \${OUTPUT DIR}/not-a-picture.png    text
    Create File    \${OUTPUT DIR}/notes.txt    text
`;
    await using project = await createRobotProject({ suite });
    const { exitCode, stdout } = await project.ralph("verify");
    expect(exitCode, stdout).toBe(0);
    expect(readdirSync(sessionFile(project, "artifacts/robot"))).toEqual([
      "log.html",
      "output.xml",
      "report.html",
      "selenium-screenshot-1.png",
    ]);
  });

  thorough("a failing test is exit 5 with its message", async () => {
    await using project = await createRobotProject({ title: "Customers; touch /tmp/never" });
    const { exitCode, stdout } = await project.ralph("verify");
    expect(exitCode).toBe(5);
    expect(stdout).toContain("✗ The page is served: another title");
  });

  test.each(
    sampled(
      [
        ["no test", "*** Keywords ***\nNothing\n    Log    x\n"],
        ["a syntax error", "*** Test Cases ***\n"],
      ],
      1,
    ),
  )("a suite with %s verifies nothing", async (_, suite) => {
    await using project = await createRobotProject({ suite });
    const { exitCode, stdout } = await project.ralph("verify");
    expect(exitCode).toBe(5);
    expect(stdout).toContain("the suite cannot be read (exit code 252)");
  });

  thorough("a library that is missing is named", async () => {
    const suite = robotSuite.replace("Process", "NoSuchLibrary");
    await using project = await createRobotProject({ suite });
    const { exitCode, stdout } = await project.ralph("verify", "--json");
    expect(exitCode).toBe(5);
    const { phases } = JSON.parse(stdout);
    expect(phases.at(-1)).toMatchObject({
      phase: "robot",
      detail: expect.stringMatching(/^failed: .*\n.*NoSuchLibrary.* failed: ModuleNotFoundError/),
    });
  });

  thorough("a suite that never ends is ended, with what it started", async () => {
    const suite = `*** Settings ***
Library    Process

*** Test Cases ***
Endless
    Run Process    sleep    4711.5
`;
    await using project = await createRobotProject({ suite }, { limits: { timeoutMs: 3000 } });
    const { exitCode, stdout } = await project.ralph("verify", "--gates", "none");
    expect(exitCode).toBe(5);
    expect(stdout).toContain("✗ robot: not finished after");
    const running = readdirSync("/proc").filter((pid) =>
      commandOf(pid).includes("sleep\x004711.5"),
    );
    expect(running).toEqual([]);
  });
});

const commandOf = (pid: string) => readText(`/proc/${pid}/cmdline`) ?? "";

/** A program in the place of the project's own Robot Framework, which writes the given files. */
const standIn = (write: string) => `#!/bin/bash
while [ $# -gt 1 ]; do [ "$1" = --outputdir ] && cd "$2"; shift; done
${write}
`;
const outputXml =
  '<robot><suite name="S"><test name="Short"><status status="PASS" elapsed="0.1"/></test></suite></robot>';
const xunit = `<testsuite name="S" tests="3"><testcase name="One" time="0.5"/>
<testcase name="Two" time="1"><failure message="not &quot;this&quot;" type="AssertionError"/></testcase>
<testcase name="Three" time="0"><skipped message="later"/></testcase></testsuite>`;

test.each([
  [
    "of 50 MB is left aside for the short form",
    `{ echo '<robot><suite name="S">'; head -c 50000000 /dev/zero | tr '\\0' 'x'; } >output.xml; echo '${xunit}' >xunit.xml; exit 1`,
    ["✓ One", '✗ Two: not "this"', "· Three skipped: later"],
  ],
  [
    "of 50 MB without the short form is no result",
    "head -c 50000000 /dev/zero >output.xml",
    ["its output.xml cannot be read"],
  ],
  [
    "that defines entities is no result",
    `echo '<!DOCTYPE robot [<!ENTITY a "b">]>${outputXml}' >output.xml`,
    ["its output.xml cannot be read"],
  ],
  [
    "that is a link is not followed",
    `echo '${outputXml}' >../real.xml; ln -s ../real.xml output.xml`,
    ["its output.xml cannot be read"],
  ],
])("an output.xml %s", async (_, write, lines) => {
  await using project = await createRobotProject({ files: { ".venv/bin/robot": standIn(write) } });
  chmodSync(`${project.root}/.venv/bin/robot`, 0o755);
  const { exitCode, stdout } = await project.ralph("verify");
  expect(exitCode).toBe(5);
  for (const line of lines) expect(stdout).toContain(line);
});

test.each(["../suite", "/etc", "a/../../b"])(
  "the suite %s, outside of the project, is refused",
  async (suite) => {
    const ui = { robot: { enabled: true, suite } };
    await using project = await createProject({ config: { services: await webAppServices(), ui } });
    const { exitCode, stderr } = await project.ralph("verify");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("must be a path inside the repository");
  },
);

test("without Robot Framework the command stops before anything starts", async () => {
  await using project = await createRobotProject({}, { env: { PATH: "/nowhere" } });
  const { exitCode, stderr, stdout } = await project.ralph("verify");
  expect(exitCode, stdout).toBe(1);
  expect(stderr).toContain("this machine has no Robot Framework");
});
