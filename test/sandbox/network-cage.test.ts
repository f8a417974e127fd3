import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { resolveHost } from "../../src/platform/net/addresses.ts";
import { openProxy } from "../../src/platform/net/proxy.ts";
import { supervise } from "../../src/platform/process/supervise.ts";
import type { SandboxNetwork } from "../../src/sandbox/network-cage.ts";
import { sandboxCommand } from "../../src/sandbox/profile.ts";
import { createSandboxSetting, hasBubblewrap } from "../support/project/sandbox.ts";

/** What an attacker outside listens on, and one host that is allowed. */
async function listenOutside() {
  const tcp = createServer((socket) => socket.end("out")).listen(0, "127.0.0.1");
  const tcp6 = createServer((socket) => socket.end("out")).listen(0, "::1");
  const abstract = createServer((socket) => socket.end("out")).listen(`\0ralph-${process.pid}`);
  const udp = createSocket("udp4", (_, { port }) => udp.send("out", port)).bind(0, "127.0.0.1");
  const web = createHttpServer((asked, response) => response.end(`${asked.headers.host}`)).listen(
    0,
    "127.0.0.1",
  );
  const all = [tcp, tcp6, abstract, udp, web];
  await Promise.all(all.map((server) => once(server, "listening")));
  const portOf = (server: { address: () => unknown }) => (server.address() as AddressInfo).port;
  return {
    ports: { tcp: portOf(tcp), tcp6: portOf(tcp6), udp: portOf(udp), web: portOf(web) },
    [Symbol.dispose]: () => {
      for (const server of all) server.close();
    },
  };
}

type Outside = Awaited<ReturnType<typeof listenOutside>>;

/** Answers that a script gives when data came in from outside. */
const reading = (connect: string) =>
  `const s = ${connect}; s.on("data", d => { console.log(String(d)); process.exit() }); s.on("error", e => { console.log(e.code); process.exit() });`;

/** Each prints `out` where it reaches the attacker. */
const attacks: Record<string, (ports: Outside["ports"]) => string> = {
  "TCP to an address": ({ tcp }) => reading(`require("net").connect(${tcp}, "127.0.0.1")`),
  "TCP over IPv6": ({ tcp6 }) => reading(`require("net").connect(${tcp6}, "::1")`),
  "an abstract unix socket": () => reading(`require("net").connect("\\0ralph-${process.pid}")`),
  "UDP, as names are resolved": ({ udp }) =>
    `const s = require("dgram").createSocket("udp4"); s.on("message", m => { console.log(String(m)); process.exit() }); s.on("error", e => process.exit()); s.send("x", ${udp}, "127.0.0.1"); setTimeout(() => process.exit(), 300);`,
};

async function runInside(script: string, network: SandboxNetwork): Promise<string> {
  await using setting = await createSandboxSetting();
  const command = sandboxCommand(
    { file: process.execPath, args: ["-e", script] },
    { ...setting.profile, network },
  );
  const { PATH } = process.env;
  const result = await supervise({
    ...command,
    cwd: setting.worktree,
    env: { PATH },
    timeoutMs: 20_000,
  });
  return `${result.stdout}${result.stderr}`.trim();
}

/** In a cage whose proxy lets only `allowed.example`, and this machine's web server, through. */
async function runCaged(script: string, { ports }: Outside) {
  await using setting = await createSandboxSetting();
  await using proxy = await openProxy(setting.state, {
    reachOf: ({ host, port }) =>
      host === "allowed.example" || port === ports.web ? "any" : "none",
    resolve: resolveHost,
    routes: [],
    env: {},
  });
  const output = await runInside(script, { kind: "cage", socket: proxy.socket });
  return { output, refused: proxy.refused() };
}

describe.skipIf(!hasBubblewrap)(
  "what leaves the sandbox on the machine's network stays in the cage (T20):",
  () => {
    test.for(Object.entries(attacks))("%s", async ([, attack]) => {
      using outside = await listenOutside();
      const script = attack(outside.ports);
      expect(await runInside(script, { kind: "host" })).toBe("out");
      expect((await runCaged(script, outside)).output).not.toContain("out");
      expect(await runInside(script, { kind: "none" })).not.toContain("out");
    });
  },
);

/** Sends a request line to the proxy as a program in the cage can, and prints the status. */
const asking = (line: string) =>
  `const s = require("net").connect(new URL(process.env.HTTP_PROXY).port, "127.0.0.1"); s.write(${JSON.stringify(line)} + "\\r\\nHost: x\\r\\n\\r\\n"); s.on("data", d => { console.log(String(d).split(" ")[1]); process.exit() }); s.on("close", () => { console.log("closed"); process.exit() });`;

describe.skipIf(!hasBubblewrap)("the proxy of a cage refuses", () => {
  test.for([
    ["a host that is not listed", "CONNECT evil.example:443 HTTP/1.1", "evil.example:443"],
    ["an address", "CONNECT 93.184.216.34:443 HTTP/1.1", "93.184.216.34:443"],
    ["an IPv6 address", "CONNECT [2606:2800:220:1::1]:443 HTTP/1.1", "[2606:2800:220:1::1]:443"],
    ["this machine", "CONNECT 127.0.0.1:22 HTTP/1.1", "127.0.0.1:22"],
    [
      "a login in the address",
      "GET http://allowed.example@evil.example/ HTTP/1.1",
      "http:??allowed.example?evil.example?",
    ],
    [
      "a name that begins like a listed one",
      "CONNECT allowed.example.evil.example:443 HTTP/1.1",
      "allowed.example.evil.example:443",
    ],
    [
      "a percent sign in the name",
      "CONNECT allowed.example%00.evil.example:443 HTTP/1.1",
      "allowed.example?00.evil.example:443",
    ],
    [
      "a plain request for another host",
      "GET http://evil.example/secret HTTP/1.1",
      "evil.example:80",
    ],
  ])("%s", async ([, line = "", refused]) => {
    using outside = await listenOutside();
    expect(await runCaged(asking(line), outside)).toEqual({ output: "403", refused: [refused] });
  });

  test("a NUL byte in a name, which never becomes a request", async () => {
    using outside = await listenOutside();
    const { output } = await runCaged(
      asking("CONNECT allowed.example\0.evil.example:443 HTTP/1.1"),
      outside,
    );
    expect(output).toMatch(/^(?:400|closed)$/);
  });
});

describe.skipIf(!hasBubblewrap)("what is meant to work in the cage works:", () => {
  test("a listed host, by the variables that curl, npm and pip read", async () => {
    using outside = await listenOutside();
    const script = `fetch("http://127.0.0.2:${outside.ports.web}/").then(async r => console.log(r.status, await r.text()), e => console.log(e.cause?.code))`;
    const listed = `require("http").get({ host: "127.0.0.1", port: new URL(process.env.http_proxy).port, path: "http://127.0.0.1:${outside.ports.web}/" }, r => r.on("data", d => console.log(String(d))))`;
    expect((await runCaged(listed, outside)).output).toBe(`127.0.0.1:${outside.ports.web}`);
    expect((await runCaged(script, outside)).output).not.toBe("");
  });

  test("servers of a program on its own loopback interface", async () => {
    using outside = await listenOutside();
    const script = `require("http").createServer((q, r) => r.end("own")).listen(8080, () => fetch("http://localhost:8080").then(r => r.text()).then(t => { console.log(t); process.exit() }))`;
    expect((await runCaged(script, outside)).output).toBe("own");
  });

  test("the exit code, the signal and the missing program are those of the program", async () => {
    using outside = await listenOutside();
    await using setting = await createSandboxSetting();
    await using proxy = await openProxy(setting.state, {
      reachOf: () => "none",
      resolve: resolveHost,
      routes: [],
      env: {},
    });
    const network = { kind: "cage", socket: proxy.socket } as const;
    const run = (file: string, ...args: string[]) =>
      supervise({
        ...sandboxCommand({ file, args }, { ...setting.profile, network }),
        ...{
          cwd: setting.worktree,
          env: { PATH: process.env.PATH },
          input: "in",
          timeoutMs: 20_000,
        },
      });
    expect((await run("sh", "-c", "cat; exit 7")).stdout).toBe("in");
    expect((await run("sh", "-c", "exit 7")).end).toEqual({ kind: "exited", code: 7 });
    expect((await run("sh", "-c", "kill -TERM $$")).end).toEqual({ kind: "exited", code: 143 });
    expect((await run("no-such-program")).stderr).toContain(
      "bwrap: execvp no-such-program: No such file",
    );
    expect(outside.ports.tcp).toBeGreaterThan(0);
  });
});
