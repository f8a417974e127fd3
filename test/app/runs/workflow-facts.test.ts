import { expect, test } from "vitest";
import { readJobs } from "../../../app/runs/workflow-facts.ts";
import { createGitHub } from "../../../src/github/api/create-github.ts";
import { startGitHubServer } from "../../support/github/server.ts";

const perPage = 100;

/** Judges the jobs that GitHub lists page by page. */
async function read(jobs: readonly { name: string; conclusion: string }[]) {
  await using server = await startGitHubServer(({ path }) => {
    const page = Number(new URLSearchParams(path.split("?")[1]).get("page"));
    const shown = jobs.slice((page - 1) * perPage, page * perPage);
    return { body: { total_count: jobs.length, jobs: shown } };
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
