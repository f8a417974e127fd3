import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { type Resolve, resolveHost } from "../../../src/platform/net/addresses.ts";
import { openProxy } from "../../../src/platform/net/proxy.ts";
import { reachOf } from "../../../src/sandbox/allowed-hosts.ts";
import { createTestFolder } from "../../support/project/system.ts";

/** A server of this machine that no program in a cage is meant to reach. */
async function startInner() {
  const server = createServer((_, response) => response.end("inner")).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => promisify(server.getConnections.bind(server))(),
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Way = "CONNECT" | "http_proxy";

/** In an object, because nothing may wait for a request. */
function ask(way: Way, { socketPath, authority }: { socketPath: string; authority: string }) {
  const method = way === "CONNECT" ? way : "GET";
  const path = way === "CONNECT" ? authority : `http://${authority}/`;
  const asked = request({ socketPath, method, path, agent: false });
  asked.end();
  return { asked };
}

/** What a program in a cage gets of the server under a name, by `CONNECT` or as `http_proxy` asks, and what is reported. */
async function fetchInner(
  way: Way,
  { entry, name, resolve }: { entry: string; name: string; resolve: Resolve },
) {
  using inner = await startInner();
  await using folder = await createTestFolder();
  const hosts = { named: [`${entry}:${inner.port}`], derived: [] };
  await using proxy = await openProxy(folder.path, {
    ...{ reachOf: (target) => reachOf(hosts, target), resolve, routes: [], env: {} },
  });
  const authority = `${name}:${inner.port}`;
  const { asked } = ask(way, { socketPath: proxy.socket, authority });
  const event = way === "CONNECT" ? "connect" : "response";
  const [answer, tunnel] = await once(asked, event);
  if (way === "CONNECT" && answer.statusCode === 200)
    tunnel.write("GET / HTTP/1.0\r\nHost: x\r\n\r\n");
  let text = "";
  for await (const chunk of way === "CONNECT" ? tunnel : answer) text += chunk;
  const withoutPort = (shown: string) => shown.replaceAll(`:${inner.port}`, ":PORT");
  return {
    status: answer.statusCode,
    text: withoutPort(text),
    refused: proxy.refused().map(withoutPort),
  };
}

const at =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

const name = "sub.evil.example";

describe.each(["CONNECT", "http_proxy"] as const)("by %s", (way) => {
  test.for([
    "127.0.0.1",
    "0.0.0.0",
    "::1",
    "::ffff:127.0.0.1",
    "169.254.169.254",
    "10.0.0.5",
    "fe80::1",
  ])("a name that only a wildcard allows leads to no inner address (T20): %s", async (address) => {
    const got = await fetchInner(way, { entry: "*.evil.example", name, resolve: at(address) });
    expect(got.status).toBe(403);
    expect(got.text).not.toContain("inner");
    expect(got.refused).toEqual([`${name}:PORT at ${address}`]);
  });

  test("a name that a person wrote in full leads to the inner address it means", async () => {
    const resolve = at("127.0.0.1");
    const got = await fetchInner(way, { entry: name, name, resolve });
    expect(got.status).toBe(200);
    expect(got.text).toContain("inner");
    expect(got.refused).toEqual([]);
  });

  test("the connection goes to the address that was checked, whatever the name means next", async () => {
    const answers = [at("127.0.0.1"), at("127.0.0.66")];
    let asked = 0;
    const resolve: Resolve = (host) => (answers[asked++] ?? at())(host);
    const got = await fetchInner(way, { entry: name, name, resolve });
    expect([got.text.includes("inner"), asked]).toEqual([true, 1]);
  });

  test("forms of an address that a wildcard matches lead nowhere", async () => {
    for (const form of ["127.0.0.1", "0x7f.0.0.1"]) {
      const got = await fetchInner(way, { entry: "*.0.0.1", name: form, resolve: resolveHost });
      expect(got.status).not.toBe(200);
      expect(got.text).not.toContain("inner");
    }
  });

  test("a name without an address is an error of its own", async () => {
    const resolve: Resolve = async () => {
      throw new Error("getaddrinfo ENOTFOUND");
    };
    const got = await fetchInner(way, { entry: name, name, resolve });
    expect([got.status, got.refused]).toEqual([502, []]);
  });
});

test.for(["CONNECT", "http_proxy"] as const)(
  "no connection stays open for a program that left while its name was resolved, by %s",
  async (way) => {
    using inner = await startInner();
    await using folder = await createTestFolder();
    const resolving = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const resolve: Resolve = async () => {
      resolving.resolve();
      await left.promise;
      return [{ address: "127.0.0.1", family: 4 }];
    };
    await using proxy = await openProxy(folder.path, {
      ...{ reachOf: () => "any" as const, resolve, routes: [], env: {} },
    });
    const { asked } = ask(way, { socketPath: proxy.socket, authority: `${name}:${inner.port}` });
    asked.on("error", () => undefined);
    await resolving.promise;
    asked.destroy();
    // The proxy has to see the end of the connection first.
    await sleep(100);
    left.resolve();
    await sleep(200);
    expect(await inner.connections()).toBe(0);
  },
);

test("the program is told host, address and the line that would allow it", async () => {
  const wanted = { entry: "*.evil.example", name, resolve: at("10.0.0.5") };
  expect((await fetchInner("http_proxy", wanted)).text).toMatchInlineSnapshot(`
    "ralph: sub.evil.example:PORT is at 10.0.0.5, which is not a public address; \`sandbox: { network: { allow: ["sub.evil.example:PORT"] } }\` in .ralph/ralph.yml, the host in full, would allow it.
    "
  `);
});
