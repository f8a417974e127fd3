import { expect, test } from "vitest";
import {
  outerProxyFor,
  parseTarget,
  requireUsableProxy,
} from "../../../src/platform/net/outer-proxy.ts";

const there = { host: "api.example", port: 443 };
const outer = { host: "proxy.example", port: 3128, isSecure: false, authorization: undefined };

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
  [{ HTTPS_PROXY: "https://proxy.example" }, { ...outer, port: 443, isSecure: true }],
  [{ HTTPS_PROXY: "socks5://proxy.example:3128" }, undefined],
] as const)("with %j the way out is %j", ([env, expected]) => {
  expect(outerProxyFor(env, there, "https")).toEqual(expected);
});

test.for([
  [{ ALL_PROXY: "socks5://u:p@proxy.example:3128" }, "HTTPS_PROXY or ALL_PROXY (socks5://...)"],
  [{ http_proxy: "http://proxy.example:port" }, "HTTP_PROXY or ALL_PROXY (http://...)"],
  [{ HTTPS_PROXY: "proxy example" }, "HTTPS_PROXY or ALL_PROXY (...)"],
  [{ HTTPS_PROXY: "https://proxy.example", http_proxy: "proxy.example:3128" }, undefined],
  [{}, undefined],
] as const)("a cage on a machine with %j is refused with %j", ([env, message]) => {
  const require = expect(() => requireUsableProxy(env));
  if (message) require.toThrow(message);
  else require.not.toThrow();
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
