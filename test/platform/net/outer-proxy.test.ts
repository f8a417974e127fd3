import { expect, test } from "vitest";
import { outerProxyFor } from "../../../src/platform/net/outer-proxy.ts";
import { parseTarget } from "../../../src/platform/net/parse-target.ts";

const there = { host: "api.example", port: 443 };
const outer = { host: "proxy.example", port: 3128, authorization: undefined };

test.for([
  [{}, undefined],
  [{ HTTPS_PROXY: "http://proxy.example:3128" }, outer],
  [{ https_proxy: "proxy.example:3128" }, outer],
  [{ ALL_PROXY: "http://proxy.example:3128" }, outer],
  [{ HTTP_PROXY: "http://proxy.example:3128" }, undefined],
  [
    { HTTPS_PROXY: "http://u:p%40@proxy.example:3128" },
    { ...outer, authorization: "Basic dTpwQA==" },
  ],
  [{ HTTPS_PROXY: "http://proxy.example:3128", NO_PROXY: "other.example, .example" }, undefined],
  [{ HTTPS_PROXY: "http://proxy.example:3128", NO_PROXY: "api.example:8443" }, outer],
  [{ HTTPS_PROXY: "http://proxy.example:3128", NO_PROXY: "pi.example" }, outer],
  [{ HTTPS_PROXY: "http://proxy.example:3128", NO_PROXY: "*" }, undefined],
  [{ HTTPS_PROXY: "socks5://proxy.example:3128" }, undefined],
] as const)("with %j the way out is %j", ([env, expected]) => {
  expect(outerProxyFor(env, there, "https")).toEqual(expected);
});

test("this machine is reached directly", () => {
  const env = { HTTPS_PROXY: "http://proxy.example:3128" };
  for (const host of ["localhost", "127.0.0.1", "::1"])
    expect(outerProxyFor(env, { host, port: 443 }, "https")).toBeUndefined();
});

test.for([
  ["api.example:443", { host: "api.example", port: 443 }],
  ["API.Example.:443", { host: "api.example", port: 443 }],
  ["[2001:db8::1]:8443", { host: "2001:db8::1", port: 8443 }],
  ["api.example", undefined],
  ["api.example:0", undefined],
  ["api.example:65536", undefined],
  ["user@api.example:443", undefined],
  ["api.example\0.evil.example:443", undefined],
  ["api.example%00:443", undefined],
  ["api..example:443", undefined],
  ["-api.example:443", undefined],
  ["аpi.example:443", undefined],
  ["[::1%25lo]:443", undefined],
  [`${"a.".repeat(200)}example:443`, undefined],
] as const)("the destination %j is %j (T20)", ([text, expected]) => {
  expect(parseTarget(text)).toEqual(expected);
});
