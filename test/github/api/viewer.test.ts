import { expect, test } from "vitest";
import { isBy, isJobToken, readViewer } from "../../../src/github/api/viewer.ts";
import { publishing } from "../../support/github/publishing.ts";

test("the owner of a token is read", async () => {
  const { result } = await publishing(({ github }) => readViewer(github));
  expect(result).toEqual({ login: "github-actions[bot]" });
});

test("accounts are compared by their whole name", () => {
  expect(isBy({ login: "ada" }, { login: "ada" })).toBe(true);
  for (const account of [{ login: "ada[bot]" }, { login: "adam" }, null, undefined]) {
    expect(isBy({ login: "ada" }, account)).toBe(false);
  }
});

test.each([
  ["github-actions[bot]", true],
  ["github-actions", true],
  ["ralph[bot]", false],
  ["my-github-actions", false],
])("%s is the job's own token: %s", (login, isOwn) => expect(isJobToken({ login })).toBe(isOwn));
