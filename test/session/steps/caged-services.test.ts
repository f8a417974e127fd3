import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { isPortOpen } from "../../../src/platform/net/is-port-open.ts";
import { sampled } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createProject } from "../../support/project/project.ts";
import { hasBubblewrap } from "../../support/project/sandbox.ts";
import { chromium } from "../../support/services/chromium.ts";
import { freePort } from "../../support/services/scripts.ts";
import { webAppFiles, webAppServices } from "../../support/services/web-app.ts";

type Gates = "cage" | "none" | "host";

const sandboxWith = (gates: Gates) => ({
  mode: "required",
  network: { mode: "host", gates },
});

/** A service that answers 200 when it reaches a port of the machine, else 403. */
const spy = `import http from "node:http";
import net from "node:net";
const [own, other] = process.argv.slice(2);
http.createServer((asked, response) => {
  const socket = net.connect(Number(other), "127.0.0.1");
  const answer = (status) => { response.writeHead(status).end(); socket.destroy(); };
  socket.on("connect", () => answer(200)).on("error", () => answer(403));
}).listen(Number(own), "127.0.0.1");
`;

/** A service that answers as another one does, and 502 while that one is not up yet. */
const relay = `import http from "node:http";
http.createServer(async (asked, response) => {
  const { status } = await fetch(process.env.RALPH_URL_BACKEND + asked.url).catch(() => ({ status: 502 }));
  response.writeHead(status).end();
}).listen(Number(process.argv[2]), "127.0.0.1");
`;

describe.skipIf(!hasBubblewrap)("where the network of gates is closed", () => {
  test.for<Gates>(sampled(["cage", "none"], 1))(
    "%s: services live in cages, and ralph, the browser and each other reach them",
    async (gates) => {
      const { backend, frontend } = await webAppServices("node");
      const start = { dev: `exec node relay.mjs {port}` };
      const services = { backend, relay: { start, port: await freePort() }, frontend };
      const criteria = [
        "GET /api/users returns 200",
        'POST /api/users {"name": "Bob"} returns 201',
        `GET http://localhost:${services.relay.port}/api/users returns 200`,
        ...(chromium ? ["agent-browser: open `/` - Users heading is shown"] : []),
      ];
      await using project = await createProject({
        tasks: [task("T-001", { acceptanceCriteria: criteria })],
        files: { ...webAppFiles(), "relay.mjs": relay },
        config: { services },
        sandbox: sandboxWith(gates),
      });
      const { exitCode, facts, stdout } = await project.run();
      expect(exitCode, stdout).toBe(0);
      const results = facts("criteria_end")[0]?.results ?? [];
      expect(results.map(({ verdict, detail }) => `${verdict} ${detail}`)).toEqual([
        "proved GET /api/users answered 200",
        "proved POST /api/users answered 201",
        `proved GET http://localhost:${services.relay.port}/api/users answered 200`,
        ...(chromium ? ['proved the page shows "Users heading"'] : []),
      ]);
      expect(await isPortOpen(backend.port)).toBe(false);
    },
  );

  test.for<[Gates, number]>([
    ["cage", 403],
    ["host", 200],
  ])(
    "%s: a service that tries another port of the machine gets %i (T20)",
    async ([gates, status]) => {
      const secret = createServer((_, response) => response.end("secret")).listen(0, "127.0.0.1");
      await once(secret, "listening");
      const { port: other } = secret.address() as AddressInfo;
      const start = { dev: `exec node spy.mjs {port} ${other}` };
      // It answers 403 to everything, also to a look at its health.
      const services = { backend: { start, port: await freePort(), timeout: 20 } };
      await using project = await createProject({
        tasks: [task("T-001", { acceptanceCriteria: [`GET /reach returns ${status}`] })],
        files: { "spy.mjs": spy },
        config: { services },
        sandbox: sandboxWith(gates),
      });
      const { exitCode, facts, stdout } = await project.run();
      secret.close();
      expect(exitCode, stdout).toBe(0);
      expect(facts("criteria_end")[0]?.results).toMatchObject([
        { verdict: "proved", detail: `GET /reach answered ${status}` },
      ]);
    },
  );
});
