import { expect, test } from "vitest";
import { createGitHub } from "../../../src/github/api/create-github.ts";
import { readSteeringComments } from "../../../src/github/issues/read-steering-comments.ts";
import { createFakeGitHub } from "../../support/github/fake-github.ts";
import { startGitHubServer } from "../../support/github/server.ts";

const people = {
  ada: { permission: "write", role_name: "maintain" },
  tina: { permission: "read", role_name: "triage" },
  robot: { permission: "write", role_name: "write", user: { type: "Bot" } },
};

/** Reads comments with these texts, numbered from 1. Also returns the accounts that were checked. */
async function read(
  said: readonly { body: string; by?: string }[],
  ids = said.map((_, at) => at + 1),
) {
  const fake = createFakeGitHub();
  Object.assign(fake.state.permissions, people);
  for (const [at, { body, by = "ada" }] of said.entries()) {
    const user = { login: by, type: "User" } as const;
    fake.state.comments.push({ id: at + 1, issue: 12, html_url: "https://g/1", body, user });
  }
  await using server = await startGitHubServer(fake.answer);
  const github = createGitHub({ apiUrl: server.apiUrl, token: "t", repository: "o/r" });
  const { orders, dropped } = await readSteeringComments(github, ids);
  const asked = server.seen.filter(({ path }) => path.endsWith("/permission")).length;
  return { orders, dropped, asked };
}

test("comments of people with write access are read in the given order; each author is checked once", async () => {
  const said = [
    { body: "/ralph skip T-003\nIt waits for the new API." },
    { body: "/ralph hint Use the *new* parser." },
    { body: "/ralph budget $7.50" },
    { body: "/ralph retry" },
    { body: "/ralph retry T-001" },
  ];
  const { orders, dropped, asked } = await read(said, [5, 1, 2, 3, 4, 1]);
  expect(orders).toEqual([
    { verb: "retry", task: "T-001", comment: 5, by: "ada" },
    { verb: "skip", task: "T-003", comment: 1, by: "ada" },
    { verb: "hint", text: "Use the *new* parser.", comment: 2, by: "ada" },
    { verb: "budget", usd: 7.5, comment: 3, by: "ada" },
    { verb: "retry", comment: 4, by: "ada" },
  ]);
  expect([dropped, asked]).toEqual([[], 1]);
});

test.each([
  ["tina", /tina has no write access here \(GitHub reports: triage\)/],
  ["mallory", /mallory has no write access here \(GitHub reports: not a collaborator\)/],
  ["robot", /an App/],
  ["helper[bot]", /an App/],
  ["", /its author has no write access here \(GitHub reports: no account\)/],
])("a comment by %j is ignored", async (by, why) => {
  const { orders, dropped } = await read([{ body: "/ralph budget 1000", by }]);
  expect(orders).toEqual([]);
  expect(dropped).toEqual([expect.stringMatching(why)]);
});

test.each(["Never mind.", "> /ralph skip T-001", "/ralph run", "/ralph skip all", ""])(
  "a comment that now reads %j is ignored, with the reason",
  async (body) => {
    const { orders, dropped, asked } = await read([{ body }]);
    expect(orders).toEqual([]);
    expect(dropped).toEqual(["Comment 1 is ignored: its first line is not a steering command."]);
    expect(asked).toBe(0);
  },
);

test("a deleted comment is reported", async () => {
  expect((await read([], [404])).dropped).toEqual(["Comment 404 is ignored: it was deleted."]);
});
