import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { claude } from "../../../src/agents/drivers/claude.ts";
import { codex } from "../../../src/agents/drivers/codex.ts";
import { gemini } from "../../../src/agents/drivers/gemini.ts";
import type { Environment } from "../../../src/platform/system.ts";
import { noHosts } from "../../../src/sandbox/allowed-hosts.ts";
import { openCallNetwork } from "../../../src/session/open/call-network.ts";
import { createTestSystem } from "../../support/project/system.ts";

const portOf = (server: { address: () => unknown }) => (server.address() as AddressInfo).port;

/** A provider that keeps what it was asked. */
async function startProvider() {
  const asked: IncomingMessage[] = [];
  const server = createServer((message, response) => {
    asked.push(message);
    message.pipe(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    asked,
    url: `http://127.0.0.1:${portOf(server)}`,
    [Symbol.dispose]: () => server.close(),
  };
}

/** Sends a request as a program in the cage does, and answers status and body. */
async function ask(socketPath: string, path: string, headers: Record<string, string> = {}) {
  const sent = request({ socketPath, path, headers, method: "POST" });
  sent.end("body");
  const [response] = await once(sent, "response");
  return [response.statusCode, await text(response)];
}

const key = "sk-ant-api03-the-real-key-of-the-user";

async function open(env: Environment, more: { isProxied?: boolean; driver?: typeof claude } = {}) {
  const system = await createTestSystem({ env });
  const { isProxied = true, driver = claude } = more;
  const network = await openCallNetwork(system, {
    ...{ driver, isProxied, hosts: noHosts, folder: system.root },
  });
  return { network, system };
}

test.for([
  [claude, "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "x-api-key", "/v1/messages?beta=true"],
  [claude, "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "authorization", "/v1/messages"],
  [codex, "OPENAI_API_KEY", "OPENAI_BASE_URL", "authorization", "/responses"],
  [gemini, "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "x-goog-api-key", "/v1beta/models"],
] as const)(
  "$0.name gets a dummy for %s$1, and the provider the key (T15)",
  async ([driver, variable, address, header, path]) => {
    using provider = await startProvider();
    const { network, system } = await open(
      { [variable]: key, [address]: `${provider.url}/base/` },
      { driver },
    );
    await using _ = network;
    const standIn = network.env[variable] ?? "";
    expect(standIn).toMatch(/^sk-ant-api03-ralph-[0-9a-f]{32}$/);
    expect(JSON.stringify(network.env)).not.toContain(key);
    const inside = new URL(network.env[address] ?? "").pathname;
    const answer = await ask(network.socket, `${inside}${path}`, { [header]: `Bearer ${standIn}` });
    expect(answer).toEqual([200, "body"]);
    expect(provider.asked[0]?.headers[header]).toBe(`Bearer ${key}`);
    expect(provider.asked[0]?.url).toBe(`/base${path}`);
    await system[Symbol.asyncDispose]();
  },
);

test("another key than the dummy does not get out: with it, files could go to an account of someone else (T19)", async () => {
  using provider = await startProvider();
  const { network, system } = await open({
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: provider.url,
  });
  await using _ = network;
  await ask(network.socket, "/claude/v1/files", { "x-api-key": "sk-ant-api03-of-an-attacker" });
  expect(provider.asked[0]?.headers["x-api-key"]).toBeUndefined();
  expect(network.refused()).toEqual([]);
  await system[Symbol.asyncDispose]();
});

test("a key that is passed is the program's own, and its provider's host is in its network", async () => {
  const { network, system } = await open({ ANTHROPIC_API_KEY: key }, { isProxied: false });
  await using _ = network;
  expect(network.env).toEqual({});
  const socket = connect(network.socket);
  socket.write("CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(await text(socket)).toContain("evil.example:443 is outside of this sandbox's network");
  expect(network.refused()).toEqual(["evil.example:443"]);
  await system[Symbol.asyncDispose]();
});

test("the machine's own proxy is asked, with its login; the cage does not see that", async () => {
  const seen: string[] = [];
  const outer = createTcpServer((socket) =>
    socket.once("data", (head) => {
      seen.push(String(head));
      socket.end("HTTP/1.1 200 OK\r\n\r\nhello from outside");
    }),
  ).listen(0, "127.0.0.1");
  await once(outer, "listening");
  const env = {
    HTTPS_PROXY: `http://me:secret@127.0.0.1:${portOf(outer)}`,
    ANTHROPIC_AUTH_TOKEN: "t",
  };
  const { network, system } = await open(env, { isProxied: false });
  await using _ = network;
  const socket = connect(network.socket);
  socket.write("CONNECT api.anthropic.com:443 HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(await text(socket)).toContain("hello from outside");
  expect(seen[0]).toMatch(/^CONNECT api\.anthropic\.com:443 HTTP\/1\.1\r\n/);
  expect(seen[0]).toContain(`Basic ${Buffer.from("me:secret").toString("base64")}`);
  expect(JSON.stringify(network.env)).not.toContain("secret");
  outer.close();
  await system[Symbol.asyncDispose]();
});

/** The targets that the machine's own proxy is asked for, when a program in the cage asks for each. */
async function askThroughOuter(env: Environment, targets: readonly string[]) {
  const seen: string[] = [];
  const outer = createTcpServer((socket) =>
    socket.once("data", (head) => {
      seen.push(String(head).split(" ")[1] ?? "");
      socket.end("HTTP/1.1 200 OK\r\n\r\n");
    }),
  ).listen(0, "127.0.0.1");
  await once(outer, "listening");
  const { network, system } = await open(
    { ...env, HTTPS_PROXY: `http://127.0.0.1:${portOf(outer)}` },
    { isProxied: false },
  );
  await using _ = network;
  for (const target of targets) {
    const socket = connect(network.socket);
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await text(socket);
  }
  outer.close();
  await system[Symbol.asyncDispose]();
  return { seen, refused: network.refused() };
}

test("the machine's own proxy may ask for an encrypted connection to itself", async () => {
  const first = Promise.withResolvers<Buffer>();
  const outer = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (head) => {
      first.resolve(head);
      socket.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(outer, "listening");
  const { network, system } = await open(
    { HTTPS_PROXY: `https://127.0.0.1:${portOf(outer)}`, ANTHROPIC_AUTH_TOKEN: "t" },
    { isProxied: false },
  );
  await using _ = network;
  const socket = connect(network.socket);
  socket.write("CONNECT api.anthropic.com:443 HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(await text(socket)).toContain("502 Bad Gateway");
  const beginningOfTls = 22;
  expect((await first.promise)[0]).toBe(beginningOfTls);
  // The certificate is the proxy's own.
  expect(String(await first.promise)).not.toContain("api.anthropic.com");
  outer.close();
  await system[Symbol.asyncDispose]();
});

test("behind a company's gateway the cage leads to the gateway, and no longer to the provider", async () => {
  const env = {
    ANTHROPIC_AUTH_TOKEN: "t",
    ANTHROPIC_BASE_URL: "https://gateway.example/anthropic",
  };
  const result = await askThroughOuter(env, ["gateway.example:443", "api.anthropic.com:443"]);
  expect(result).toEqual({ seen: ["gateway.example:443"], refused: ["api.anthropic.com:443"] });
});

test("on a machine with IPv6 only the cage leads to its provider all the same", async () => {
  const server = createServer((_, response) => response.end("over IPv6")).listen(0, "::1");
  await once(server, "listening");
  const { network, system } = await open({
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: `http://[::1]:${portOf(server)}`,
  });
  await using _ = network;
  expect(await ask(network.socket, "/claude/v1/messages")).toEqual([200, "over IPv6"]);
  server.close();
  await system[Symbol.asyncDispose]();
});
