import { describe, expect, test } from "vitest";
import { createGitHub, type GitHub } from "../../../src/github/api/create-github.ts";
import { isSafeUrl } from "../../../src/github/api/remote-url.ts";
import { createWritePace, writeBurst } from "../../../src/github/api/write-pace.ts";
import type { Pace } from "../../../src/platform/clock.ts";
import { type Answers, startGitHubServer } from "../../support/github/server.ts";

const purpose = { act: "look at it", permission: "actions: read", reason: "git" } as const;
const read = ({ ask, repo }: GitHub) => ask(purpose, ({ rest }) => rest.repos.get(repo));
const write = ({ ask, repo }: GitHub) =>
  ask(purpose, ({ rest }) => rest.issues.create({ ...repo, title: "It" }));

const query = ({ ask }: GitHub, text: string) => ask(purpose, ({ graphql }) => graphql(text));

/** Each test's own repository, because pauses between writes are counted per repository. */
async function open(repository: string, answers: Answers, pace?: Pace) {
  // The transport is tested here, with answers that no route of GitHub gives.
  const server = await startGitHubServer(answers, undefined, false);
  return {
    server,
    github: createGitHub({
      apiUrl: `${server.apiUrl}/`,
      token: "t0ken",
      repository,
      ...(pace && { pace }),
    }),
  };
}

describe.concurrent("a request", () => {
  test("goes to the API's address with its prefix, with the token", async () => {
    const { server, github } = await open("o/plain", () => ({ body: { a: 1 } }));
    await using _ = server;
    expect(await read(github)).toMatchObject({ status: 200, data: { a: 1 } });
    expect(server.seen).toMatchObject([
      {
        method: "GET",
        path: "/api/v3/repos/o/plain",
        authorization: "token t0ken",
        version: "2022-11-28",
      },
    ]);
  });

  test("that reads is retried after a failure of GitHub", async () => {
    let count = 0;
    const { server, github } = await open("o/again", () => ({ status: count++ === 0 ? 502 : 200 }));
    await using _ = server;
    expect(await read(github)).toMatchObject({ status: 200 });
    expect(count).toBe(2);
  });

  test("that creates is sent once", async () => {
    const { server, github } = await open("o/once", () => ({ status: 502 }));
    await using _ = server;
    await expect(write(github)).rejects.toMatchObject({ reason: "git" });
    expect(server.seen).toHaveLength(1);
  });

  test("waits for a rate limit that ends soon", async () => {
    let count = 0;
    const limit = {
      status: 429,
      headers: { "retry-after": "1" },
      body: { message: "You have exceeded a secondary rate limit" },
    };
    const { server, github } = await open("o/limit", () => (count++ === 0 ? limit : {}));
    await using _ = server;
    expect(await read(github)).toMatchObject({ status: 200 });
  });

  test("does not wait for a rate limit that ends late, and reports its end", async () => {
    const reset = String(Date.UTC(2037, 0, 1) / 1000);
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
    const { server, github } = await open("o/late", () => ({ status: 403, headers }));
    await using _ = server;
    await expect(read(github)).rejects.toThrow("until 2037-01-01T00:00:00.000Z");
    expect(server.seen).toHaveLength(1);
  });

  test("by GraphQL uses the address beside the REST API; a query is retried, a mutation is not", async () => {
    let count = 0;
    const { server, github } = await open("o/graphql", () =>
      count++ === 0 ? { status: 502 } : { body: { data: { a: 1 } } },
    );
    await using _ = server;
    expect(await query(github, "query { a }")).toEqual({ a: 1 });
    expect(server.seen.map(({ path }) => path)).toEqual(["/api/graphql", "/api/graphql"]);
    count = 0;
    const mutation = query(github, "mutation { a }");
    await expect(mutation).rejects.toMatchObject({ reason: "git" });
    expect(server.seen).toHaveLength(3);
  });

  test("by GraphQL that is refused names the missing permission", async () => {
    const errors = [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }];
    const { server, github } = await open("o/forbidden", () => ({ body: { data: null, errors } }));
    await using _ = server;
    await expect(query(github, "query { a }")).rejects.toMatchObject({
      message:
        "GitHub refused to look at it in o/forbidden: Resource not accessible by integration",
      remedy: expect.stringContaining("`actions: read` under `permissions:`"),
    });
  });

  test("that writes is sent at once after a few others, and then a second after the previous one", async () => {
    const pauses: [sent: number, ms: number][] = [];
    let now = 0;
    const sleep = async (ms: number) => {
      pauses.push([server.seen.length, ms]);
      now += ms;
    };
    const pace = createWritePace({ monotonic: () => now, sleep });
    const { server, github } = await open("o/pace", () => ({}), pace);
    await using _ = server;
    const comment = { ...github.repo, issue_number: 1, body: "It" };
    const run = { ...github.repo, name: "It", head_sha: "c" };
    for (let index = 0; index < writeBurst + 2; index += 1) {
      await github.ask<unknown>(purpose, ({ rest }) =>
        index % 2 === 0 ? rest.issues.createComment(comment) : rest.checks.create(run),
      );
    }
    expect(pauses).toEqual([
      [writeBurst, 1000],
      [writeBurst + 1, 1000],
    ]);
  });

  test("to an address without a server fails with that reason", async () => {
    const { server, github } = await open("o/nobody", () => ({}));
    await server[Symbol.asyncDispose]();
    await expect(write(github)).rejects.toMatchObject({
      message: expect.stringMatching(/request to look at it did not reach GitHub/),
      remedy: expect.stringContaining("GITHUB_API_URL"),
    });
  });
});

test.each([
  [401, "Bad credentials", /`github-token`/],
  [403, "Resource not accessible by integration", /`actions: read` under `permissions:`/],
  [404, "Not Found", /`actions: read` under `permissions:`/],
  [422, "Validation Failed", /Correct the problem GitHub names/],
])("a refusal with %i names the remedy", async (status, message, remedy) => {
  const body = { message, documentation_url: "https://docs.github.com/rest" };
  const { server, github } = await open(`o/status-${status}`, () => ({ status, body }));
  await using _ = server;
  await expect(read(github)).rejects.toMatchObject({
    message: `GitHub refused to look at it in o/status-${status}: ${message} (${status}).`,
    remedy: expect.stringMatching(remedy),
  });
  expect(server.seen).toHaveLength(1);
});

test("a token is sent by https only, or within this machine", () => {
  const safe = ["https://api.github.com", "http://127.0.0.1:1/api/v3", "http://[::1]:2"];
  const unsafe = ["http://ghe.example/api/v3", "ftp://x", "https://user:pw@x", "no address"];
  expect(safe.filter((url) => !isSafeUrl(url))).toEqual([]);
  expect(unsafe.filter(isSafeUrl)).toEqual([]);
  const access = { token: "t", repository: "o/r" };
  expect(() => createGitHub({ ...access, apiUrl: "http://ghe.example" })).toThrow(/not an https/);
  expect(() => createGitHub({ ...access, apiUrl: "https://x", repository: "o/r/../x" })).toThrow(
    /not a repository name/,
  );
});
