import { expect, test } from "vitest";
import { readJobs, readWorkflow } from "../../../app/runs/workflow-facts.ts";
import { createGitHub } from "../../../src/github/api/create-github.ts";
import { pageOf } from "../../support/github/page.ts";
import { startGitHubServer } from "../../support/github/server.ts";

/** Judges the jobs that GitHub lists page by page. */
async function read(jobs: readonly { name: string; conclusion: string }[]) {
  await using server = await startGitHubServer(({ path }) => {
    const { items, headers } = pageOf(path, jobs);
    return { headers, body: { total_count: jobs.length, jobs: items } };
  });
  const { apiUrl } = server;
  const github = createGitHub({ apiUrl, token: "t", repository: "octo/example" });
  const facts = await readJobs(github, { run: 50, attempt: 1 });
  return { facts, asked: server.seen.length };
}

const matrix = (length: number) =>
  Array.from({ length }, (_, index) => ({ name: `test (${index})`, conclusion: "success" }));
const room = { name: "ralph / Prove again", conclusion: "failure" };

test("the clean room's job is found at any position among the jobs of a workflow run", async () => {
  expect(await read([...matrix(250), room])).toEqual({
    facts: { cleanRoom: "refuted", failed: ["ralph / Prove again"] },
    asked: 3,
  });
  expect(await read(matrix(99))).toMatchObject({ facts: { cleanRoom: undefined }, asked: 1 });
});

test("a workflow run is read whose attempt and status GitHub leaves open", async () => {
  const run = { id: 50, path: ".github/workflows/ralph.yml", event: "workflow_dispatch" };
  await using server = await startGitHubServer(() => ({ body: { ...run, status: null } }));
  const github = createGitHub({ apiUrl: server.apiUrl, token: "t", repository: "octo/example" });
  expect(await readWorkflow(github, 50)).toMatchObject({ run_attempt: 1, status: null });
});
