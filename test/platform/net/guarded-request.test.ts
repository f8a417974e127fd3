import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { resolveHost } from "../../../src/platform/net/addresses.ts";
import { openProxy, type ProxyRules } from "../../../src/platform/net/proxy.ts";
import { createTestFolder } from "../../support/project/system.ts";

const standIn = "sk-ralph-dummy";
const key = "sk-the-real-key";

/** A server that keeps every byte it is sent and answers with nothing but that it is there. */
async function startListener() {
  const seen: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      seen.push(String(bytes));
      if (seen.join("").includes("\r\n\r\n"))
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: () => seen.join(""),
    [Symbol.dispose]: () => server.close(),
  };
}

/** What a host outside receives when a program in the cage writes these bytes to the proxy, and what it answers. */
async function send(bytes: string, rules: (url: string) => Partial<ProxyRules>) {
  using outside = await startListener();
  await using folder = await createTestFolder();
  await using proxy = await openProxy(folder.path, {
    ...{ reachOf: () => "none" as const, resolve: resolveHost, routes: [], env: {} },
    ...rules(outside.url),
  });
  const socket = connect({ path: proxy.socket });
  socket.write(bytes);
  let answer = "";
  socket.on("data", (data) => {
    answer += data;
  });
  await expect.poll(() => answer).not.toBe("");
  // A second request comes right behind the first.
  await sleep(100);
  socket.destroy();
  return { seen: outside.seen(), answer };
}

const keyOutside = (url: string) => ({
  routes: [{ name: "claude", url: `${url}/base`, keys: [{ standIn, key }] }],
});

const http = (line: string, headers: readonly string[], body = "") =>
  [`${line} HTTP/1.1`, "Host: x", ...headers, "", body].join("\r\n");

const chunk = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const second = "POST /files HTTP/1.1\r\nHost: x\r\nx-api-key: of-an-attacker\r\n\r\n";

describe("with its key outside, a program gets the provider to repeat no key, and to take no other one (T15, T19, T20):", () => {
  test("the key is put in where the program has the dummy, and nothing else is changed", async () => {
    const request = http(
      "POST /claude/v1/messages?beta=true",
      [`x-api-key: ${standIn}`, "anthropic-beta: one", "Content-Length: 2"],
      "{}",
    );
    const { seen } = await send(request, keyOutside);
    expect(seen).toMatch(/^POST \/base\/v1\/messages\?beta=true HTTP/);
    expect(seen).toContain(`x-api-key: ${key}\r\n`);
    expect(seen).toContain("anthropic-beta: one\r\n");
    expect(seen).toMatch(/\r\n\r\n\{\}$/);
  });

  test.for([
    ["in a path that is not found", http(`GET /claude/v1/${standIn}`, [])],
    ["in a parameter", http(`GET /claude/v1/models?after=${standIn}`, [])],
    [
      "in a header whose value is not known",
      http("GET /claude/v1", [`anthropic-beta: ${standIn}`]),
    ],
    ["beside other text", http("GET /claude/v1", [`x-api-key: see ${standIn}`])],
    ["in a request that is sent back", http("TRACE /claude/v1", [`x-api-key: ${standIn}`])],
  ] as const)("the dummy %s stays what it is", async ([, request]) => {
    const { seen, answer } = await send(request, keyOutside);
    expect(seen).not.toContain(key);
    expect(answer).not.toContain(key);
  });

  test.for([
    ["a header", http("GET /claude/v1", ["x-api-key: of-an-attacker"])],
    [
      "a header beside its own",
      http("GET /claude/v1", ["x-api-key: of-an-attacker", `x-api-key: ${standIn}`]),
    ],
    ["a header of a gateway", http("GET /claude/v1", ["x-auth-token: of-an-attacker"])],
    ["a parameter", http("POST /claude/v1/files?key=of-an-attacker", ["Content-Length: 0"])],
    ["an escaped parameter", http("GET /claude/v1?a=b;k%65y=of-an-attacker", [])],
    [
      "a parameter that stands for headers",
      http("GET /claude/v1?%24httpHeaders=x-goog-api-key:of-an-attacker", []),
    ],
    [
      "a second request in the body of the first",
      http("GET /claude/v1", ["Transfer-Encoding: chunked"], chunk(second)),
    ],
    [
      "a second request behind a length that is not passed on",
      http(
        "GET /claude/v1",
        ["Connection: content-length", `Content-Length: ${second.length}`],
        second,
      ),
    ],
  ] as const)("another key does not get out in %s", async ([, request]) => {
    const { seen } = await send(request, keyOutside);
    expect(requestsIn(seen).join("\n")).not.toContain("of-an-attacker");
  });

  test("a program with a key of its own sends all of this", async () => {
    const keyInside = (url: string) => ({ routes: [{ name: "claude", url, keys: [] }] });
    for (const request of [
      http("GET /claude/v1", ["x-api-key: of-an-attacker"]),
      http("GET /claude/v1?k%65y=of-an-attacker", []),
      http("TRACE /claude/of-an-attacker", []),
      http("GET /claude/../of-an-attacker", []),
    ]) {
      expect((await send(request, keyInside)).seen).toContain("of-an-attacker");
    }
  });

  test("a batch, whose requests have keys of their own, is refused", async () => {
    const headers = [
      "Content-Type: multipart/mixed; boundary=b",
      `Content-Length: ${second.length}`,
    ];
    const { seen, answer } = await send(http("POST /claude/batch", headers, second), keyOutside);
    expect(seen).toBe("");
    expect(answer).toContain("403");
  });

  test.for([
    "GET /claude/../admin",
    "GET /claude/v1/%2e%2e/%2E./../admin",
    "GET /claude/..%2f..%2fadmin",
    "GET /claude/..\\admin",
    "GET /claude:@evil.example/",
  ])("%s does not leave the address of the model", async (line) => {
    const { seen, answer } = await send(http(line, []), keyOutside);
    expect(seen).toBe("");
    expect(answer).toContain("403");
  });
});

/** As a server reads them: what a frame says is body is no request. */
function requestsIn(bytes: string): string[] {
  const found: string[] = [];
  for (let rest = bytes; rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n") + 4;
    const head = rest.slice(0, end);
    found.push(head);
    const length = /content-length: (\d+)/i.exec(head)?.[1] ?? "0";
    const isChunked = /transfer-encoding: chunked/i.test(head);
    rest = rest.slice(
      end + (isChunked ? rest.slice(end).indexOf("0\r\n\r\n") + 5 : Number(length)),
    );
  }
  return found;
}

test("behind the machine's own proxy a listed host's request holds no second one, for a host that is not listed (T20)", async () => {
  const evil = "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n";
  const line = "GET http://listed.example/";
  for (const request of [
    http(line, ["Transfer-Encoding: chunked"], chunk(evil)),
    http(line, ["Connection: content-length", `Content-Length: ${evil.length}`], evil),
  ]) {
    const { seen } = await send(request, (url) => ({
      reachOf: ({ host }) => (host === "listed.example" ? "any" : "none"),
      env: { HTTP_PROXY: url },
    }));
    expect(requestsIn(seen)).toHaveLength(1);
    expect(requestsIn(seen)[0]).toContain("GET http://listed.example/");
  }
});
