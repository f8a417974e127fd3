import { expect, test } from "vitest";
import { isPortOpen } from "../../../src/platform/net/is-port-open.ts";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";
import { chromium } from "../../support/services/chromium.ts";
import { webAppFiles, webAppServices } from "../../support/services/web-app.ts";

test.skipIf(!chromium)("a repair that edits the judge instead of the bug is put back", async () => {
  const script = 'curl -sf "$BASE_URL/" | grep Customers || { echo no customers; exit 1; }\n';
  const ui = { agent_browser: { enabled: true, script: "ui_tests/run.sh" } };
  await using project = await createProject({
    tasks: [task("T-001")],
    files: { ...webAppFiles(), "ui_tests/run.sh": script },
    config: { services: await webAppServices(), ui },
    agent: { fix: "echo exit 0 >ui_tests/run.sh; signal fix-done" },
  });
  const { exitCode, stdout, facts } = await project.run();
  expect(exitCode, stdout).toBe(5);
  expect(stdout).toContain("reverted: ui_tests/run.sh");
  expect(facts("fix_end").map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged"]);
  expect(project.read("ui_tests/run.sh")).toBe(script);
});

const stranger = (port: number) =>
  `${process.execPath} -e 'require("http").createServer((_, r) => r.end("{}")).listen(${port})'`;

test.each([
  [
    "is ended with its agent",
    "setsid",
    3,
    "the services are not up: backend: it ended with exit code 3",
  ],
  ["is named where it hid from that", "env -i setsid", 9, "is taken by node (pid "],
])("a server that an agent left on a service's port %s", async (_, start, code, line) => {
  const { backend } = await webAppServices();
  const files = webAppFiles();
  const leave = `${start} ${stranger(backend.port)} >/dev/null 2>&1 & echo $! >"$0.pid"; sleep 1`;
  await using project = await createProject({
    tasks: [task("T-001", { acceptanceCriteria: ["GET /health returns 200"] })],
    files: { ...files, "backend.mjs": `process.exit(3);\n${files["backend.mjs"]}` },
    config: { services: { backend }, limits: { max_iterations: 1 } },
    agent: { implementation: `${leave}; honest` },
  });
  const { exitCode, stdout } = await project.run();
  const isEnded = !(await isPortOpen(backend.port));
  if (!isEnded) process.kill(Number(project.read("../bin/agent.pid")));
  expect(stdout).toContain(line);
  expect([exitCode, isEnded]).toEqual([code, code === 3]);
});
