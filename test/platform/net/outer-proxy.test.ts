import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { promisify } from "node:util";
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

const source = new URL("../../../src/platform/create-system.ts", import.meta.url).href;
/** The settings of `fetch` are those of a whole process. */
const script = `
const { createSystem } = await import(process.argv[1]);
createSystem();
await fetch(process.argv[2]).then((answer) => answer.text().then(console.log), () => console.log("failed"));
`;

/** The first line a proxy reads when a process with these variables asks for `url`; `$` stands for the proxy. */
async function askThroughProxy(variables: Record<string, string>, url: string) {
  const seen: string[] = [];
  const proxy = createServer((socket) => {
    socket.once("data", (head) => {
      seen.push(String(head).split("\r\n")[0] ?? "");
      socket.end("HTTP/1.1 503 Not now\r\nContent-Length: 0\r\n\r\n");
    });
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const put = (text: string) => text.replace("$", address);
  const env = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, put(value)]),
  );
  const args = ["--input-type=module", "-e", script, source, put(url)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  proxy.close();
  return { said: stdout.trim(), seen };
}

test.for([
  { HTTPS_PROXY: "http://$" },
  { https_proxy: "$" },
  { ALL_PROXY: "http://$", NO_PROXY: "other.example" },
])("with %j requests of ralph's own take the machine's proxy", async (env) => {
  const { said, seen } = await askThroughProxy(env, "https://api.example.invalid/");
  expect(said).toBe("failed");
  expect(seen).toEqual(["CONNECT api.example.invalid:443 HTTP/1.1"]);
});

test.for([
  [{ HTTPS_PROXY: "http://$", NO_PROXY: ".invalid" }, "https://api.example.invalid/"],
  [{ HTTPS_PROXY: "socks5://$" }, "https://api.example.invalid/"],
  [{}, "https://api.example.invalid/"],
] as const)("with %j they reach %s without it", async ([env, url]) => {
  expect((await askThroughProxy({ ...env }, url)).seen).toEqual([]);
});

test("what runs on this machine is asked directly", async () => {
  const { seen } = await askThroughProxy({ HTTPS_PROXY: "http://$" }, "https://$/");
  expect(seen[0]).not.toContain("CONNECT");
});
