import { expect, test } from "vitest";
import { requireLocalToken } from "../../../src/github/api/local-token.ts";
import type { System } from "../../../src/platform/system.ts";

const hub = { GITHUB_TOKEN: " hub ", GH_TOKEN: "second" };
const own = { GH_ENTERPRISE_TOKEN: "own" };

/** Finds a token for a host; `gh` stands in for the output of `gh auth token`. */
async function find(host: string, env: Record<string, string>, gh = "") {
  const asked: string[] = [];
  const ask: System["ask"] = async ({ file, args }) => {
    asked.push([file, ...args].join(" "));
    return { exitCode: gh ? 0 : 1, stdout: Buffer.from(gh), stderr: "" };
  };
  const token = await requireLocalToken({ ask, env }, { host, directory: "/" });
  return { token, asked };
}

test.each<[host: string, env: Record<string, string>, token: string]>([
  ["github.com", { ...hub, ...own }, "hub"],
  ["github.com", { GITHUB_TOKEN: "", GH_TOKEN: "second" }, "second"],
  ["octo.ghe.com", hub, "hub"],
  ["127.0.0.1:8080", hub, "hub"],
  ["ghe.example.org", { ...hub, ...own }, "own"],
  ["ghe.example.org", { ...hub, GITHUB_SERVER_URL: "https://ghe.example.org" }, "hub"],
])("the token for %s comes from a variable meant for that server", async (host, env, token) => {
  expect(await find(host, env)).toEqual({ token, asked: [] });
});

test("gh is asked when no variable is meant for the server", async () => {
  expect(await find("ghe.example.org", hub, "gho_1\n")).toEqual({
    token: "gho_1",
    asked: ["gh auth token --hostname ghe.example.org"],
  });
  const env = { ...hub, RALPH_GH_CMD: "mise exec -- gh" };
  expect((await find("ghe.example.org", env, "x")).asked[0]).toMatch(/^mise exec -- gh auth token/);
});

test("a token for github.com is never sent elsewhere: the error says how to get another", async () => {
  await expect(find("evil.example", hub)).rejects.toMatchObject({
    reason: "config",
    remedy: "Log in with `gh auth login --hostname evil.example`, or set GH_ENTERPRISE_TOKEN.",
  });
  await expect(find("github.com", {}, "two words")).rejects.toThrow("GITHUB_TOKEN and GH_TOKEN");
});
