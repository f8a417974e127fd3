import { expect, test } from "vitest";
import { identifyActor } from "../../../app/runs/judge-actor.ts";
import { createGitHub } from "../../../src/github/api/create-github.ts";
import { createFakeGitHub, type FakeGitHub } from "../../support/github/fake-github.ts";
import { addressOf, inFakeTime } from "../../support/github/fake-time.ts";

const ada = { login: "ada", id: 5, type: "User" };
const known = { selfId: 900, bots: [49] };

function ask(fake: FakeGitHub, sender: typeof ada | undefined) {
  const github = createGitHub({
    apiUrl: addressOf(fake),
    token: "t0ken",
    repository: fake.repository,
  });
  return inFakeTime([fake], () => identifyActor(github, sender, known));
}

function createPlace(): FakeGitHub {
  const fake = createFakeGitHub({ repository: "octo/actors" });
  const writer = { permission: "write", role_name: "write" };
  fake.state.permissions.ada = { ...writer, user: { type: "User", id: 5 } };
  fake.state.permissions.robot = { ...writer, user: { type: "Bot", id: 49 } };
  return fake;
}

test.each([
  ["a person", ada, "user", "write"],
  ["a person whose login now belongs to another account", { ...ada, id: 6 }, "unknown", "read"],
  ["a person without access to the repository", { ...ada, login: "eve" }, "unknown", "read"],
  ["no account", undefined, "ghost", "read"],
  ["this App", { login: "x[bot]", id: 900, type: "Bot" }, "self", "read"],
  ["a listed bot", { login: "robot", id: 49, type: "Bot" }, "listed-bot", "write"],
  [
    "an App without a bot's name",
    { login: "robot", id: 50, type: "Bot" },
    "suffixless-app",
    "read",
  ],
  ["a person with a bot's name", { ...ada, login: "ada-bot" }, "unknown", "read"],
])("%s is known by id and type", async (_, sender, actor, permission) => {
  expect(await ask(createPlace(), sender)).toEqual({ actor, permission });
});

test("while GitHub fails the job is retried later", async () => {
  const fake = createPlace();
  fake.breakBy(() => "5xx-before");
  await expect(ask(fake, ada)).rejects.toThrow();
});
