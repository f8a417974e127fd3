import { expect, test } from "vitest";
import { proxyHint } from "../../../src/agents/call/run-agent.ts";

const given = { PATH: "/bin", HTTPS_PROXY: "http://user:password@proxy:3128" };
const refused = "Connection refused (ECONNREFUSED)";

test("which a proxy hides gets a hint that names the proxy and no password", () => {
  const hint = proxyHint(refused, { given, names: [] });
  expect(hint).toMatch(/HTTPS_PROXY.*`agents\.env`/);
  expect(hint).not.toContain("password");
});

test.each([
  ["the proxy is named", refused, { given, names: ["HTTPS_PROXY"] }],
  ["there is none", refused, { given: { https_proxy: "" }, names: [] }],
  ["something else is wrong", "500 Internal server error", { given, names: [] }],
])("nothing is said when %s", (_title, said, env) => {
  expect(proxyHint(said, env)).toBe("");
});
