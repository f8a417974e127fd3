import { createServer } from "node:http";
import { expect, test } from "vitest";
import { isPortOpen } from "../../../src/platform/net/is-port-open.ts";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";
import { webAppFiles, webAppServices } from "../../support/services/web-app.ts";

const criteria = [
  "GET /api/users returns 200",
  'POST /api/users {"name": "Bob"} returns 201',
  "POST /api/users returns 201",
  "GET /api/users returns 2xx",
  "GET http://localhost:1/other returns 200",
];

async function createWebProject(acceptanceCriteria: readonly string[]) {
  const services = await webAppServices();
  const project = await createProject({
    tasks: [task("T-001", { acceptanceCriteria: [...acceptanceCriteria] })],
    files: webAppFiles(),
    config: { services },
  });
  return { project, services };
}

test("a run calls the services for API criteria and ends them", async () => {
  const { project, services } = await createWebProject(criteria);
  await using _ = project;
  const { exitCode, facts, stdout } = await project.run();
  expect(exitCode, stdout).toBe(0);
  const [checked] = facts("criteria_end");
  expect(checked?.results.map(({ kind, verdict, detail }) => ({ kind, verdict, detail }))).toEqual([
    { kind: "api", verdict: "proved", detail: "GET /api/users answered 200" },
    { kind: "api", verdict: "proved", detail: "POST /api/users answered 201" },
    {
      kind: "api",
      verdict: "to_judge",
      detail:
        "POST /api/users answered 400 to an empty object; the criterion names no body to send",
    },
    { kind: "api", verdict: "proved", detail: "GET /api/users answered 200" },
    {
      kind: "api",
      verdict: "to_judge",
      detail: "http://localhost:1/other is not one of the services; not called",
    },
  ]);
  expect(project.evidence(checked?.results[1]?.evidence)).toContain('status 201\n{"name":"Bob"}');
  expect(await isPortOpen(services.backend.port)).toBe(false);
  expect(await isPortOpen(services.frontend.port)).toBe(false);
  const timeline = project.read(".ralph-session/logs/timeline.jsonl");
  for (const name of ["service_start", "service_ready"]) expect(timeline).toContain(`"${name}"`);
});

test("an answer with another status fails the iteration, with the answer as feedback", async () => {
  const { project } = await createWebProject(["GET /api/nothing returns 200"]);
  await using _ = project;
  const { exitCode, prompts } = await project.run();
  expect(exitCode).toBe(3);
  expect(prompts("implementation")[1]).toContain(
    'GET /api/nothing answered 404, not 200: {"error":"nothing at /api/nothing"}',
  );
});

test("a port that another program holds ends the session with exit code 9", async () => {
  const { project, services } = await createWebProject(criteria);
  await using _ = project;
  const holder = createServer().listen(services.backend.port, "127.0.0.1");
  const { exitCode, stderr } = await project.run();
  holder.close();
  expect(exitCode).toBe(9);
  expect(stderr).toContain(`port ${services.backend.port} is taken by`);
});
