import { describe, expect, test } from "vitest";
import { createGitHub } from "../../../src/github/api/create-github.ts";
import { httpStatusOf, isRateLimited } from "../../../src/github/api/to-ralph-error.ts";
import { type Reply, startGitHubServer } from "../../support/github/server.ts";

const purpose = { act: "look at it", permission: "actions: read", reason: "git" } as const;
const reset = String(Date.UTC(2037, 0, 1) / 1000);
const usedUp = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
const limited = [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }];

type Case = { reply: Reply; prefix?: string; query?: string };
let count = 0;

/** The error of one request; each has its own repository, because pauses are counted per repository. */
async function failure({ reply, prefix = "/api/v3", query }: Case): Promise<unknown> {
  await using server = await startGitHubServer(() => reply, undefined, false);
  const repository = `o/failure-${count++}`;
  const github = createGitHub({ apiUrl: server.url + prefix, token: "t", repository });
  const answer = query
    ? github.ask(purpose, ({ graphql }) => graphql(query))
    : github.ask(purpose, ({ rest }) => rest.repos.get(github.repo));
  return await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("a rate limit is reported with its end", () => {
  test.each<[where: string, asked: Case]>([
    ["of REST", { reply: { status: 403, headers: usedUp } }],
    ["of REST, with 429", { reply: { status: 429, headers: usedUp } }],
    [
      "of GraphQL on github.com",
      { reply: { headers: usedUp, body: { errors: limited } }, prefix: "", query: "query { a }" },
    ],
    [
      "of GraphQL on GitHub Enterprise",
      { reply: { headers: usedUp, body: { errors: limited } }, query: "query { a }" },
    ],
  ])("%s", async (_, asked) => {
    const error = await failure(asked);
    expect(error).toMatchObject({
      reason: "git",
      message:
        "GitHub's rate limit is used up, so it refused to look at it until 2037-01-01T00:00:00.000Z.",
      remedy: expect.stringContaining("Try again later"),
    });
    expect(isRateLimited(error)).toBe(true);
  });

  test("a missing permission is not a rate limit", async () => {
    const error = await failure({ reply: { status: 403, body: { message: "no" } } });
    expect([isRateLimited(error), httpStatusOf(error)]).toEqual([false, 403]);
  });
});

test("an organization's sign-on is reported with its address", async () => {
  const url = "https://github.com/orgs/o/sso?authorization_request=A";
  const headers = { "x-github-sso": `required; url=${url}` };
  const reply = { status: 403, headers, body: { message: "Resource protected by SAML." } };
  expect(await failure({ reply })).toMatchObject({
    remedy: `Authorize the token for the organization, then try again: ${url}`,
  });
});
