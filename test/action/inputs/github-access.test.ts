import { expect, test } from "vitest";
import { openGitHub, remoteOf, requireToken } from "../../../src/action/inputs/github-access.ts";
import type { Environment } from "../../../src/platform/system.ts";
import { stepContext } from "../../support/action/step.ts";
import { createTestSystem } from "../../support/project/system.ts";

async function contextOf(env: Environment, handed = "token\n") {
  await using system = await createTestSystem({ env });
  return stepContext(system, { handed });
}

const repository = { GITHUB_REPOSITORY: "octo/example" };

test("the default server is github.com", async () => {
  const context = await contextOf(repository);
  expect(remoteOf(context)).toEqual({ url: "https://github.com/octo/example.git", token: "token" });
  expect(openGitHub(context).apiUrl).toBe("https://api.github.com");
});

test("on GitHub Enterprise both URLs are those of the server", async () => {
  const context = await contextOf({
    ...repository,
    GITHUB_SERVER_URL: "https://git.example.com",
    GITHUB_API_URL: "https://git.example.com/api/v3",
  });
  expect(remoteOf(context).url).toBe("https://git.example.com/octo/example.git");
  expect(openGitHub(context).apiUrl).toBe("https://git.example.com/api/v3");
});

test("a URL that would send the token unencrypted is refused", async () => {
  const context = await contextOf({ ...repository, GITHUB_API_URL: "http://git.example.com/api" });
  expect(() => openGitHub(context)).toThrow(
    expect.objectContaining({ exitCode: 1, message: expect.stringContaining("git.example.com") }),
  );
});

test.each(["", "\n", "  \n"])(
  "a missing token (%j) is an error before the first request",
  async (handed) => {
    const context = await contextOf(repository, handed);
    expect(() => requireToken(context)).toThrow(/github-token is empty/);
  },
);
