import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { runCommand } from "../support/project/command.ts";
import { canLoseIpv4, ipv6Only } from "../support/project/ipv6-only.ts";
import { createProject, type Project } from "../support/project/project.ts";
import { hasBubblewrap } from "../support/project/sandbox.ts";
import { chromium } from "../support/services/chromium.ts";
import { webAppFiles, webAppServices } from "../support/services/web-app.ts";

function ralph({ root, folder, system }: Project, args: string[], before = "") {
  const { mounts, ...place } = ipv6Only(folder);
  const env = system.env;
  return runCommand({ cwd: root, env, ...place, mounts: `${mounts}\n${before}` }, args);
}

/** No other program has this network, so the port is free. */
const port = 4711;
/** Ends with ralph, which starts in its parent's place. */
const server = `import http from "node:http";
http.createServer((asked, response) => response.end("of the machine")).listen(${port}, "::1");
const parent = process.ppid;
setInterval(() => process.ppid === parent || process.exit(), 100);
`;
/** As a program that knows the proxy and no exception from it. */
const asking = `node -e '
const { port } = new URL(process.env.HTTP_PROXY);
const path = "http://[::1]:${port}/";
require("http").get({ host: "127.0.0.1", port, path }, (answer) => answer.pipe(process.stdout));
'`;

/** Its servers listen on the only address there is. */
const files = Object.fromEntries(
  Object.entries(webAppFiles()).map(([name, text]) => [name, text.replaceAll("127.0.0.1", "::1")]),
);

async function createWebProject(network: string) {
  const services = await webAppServices("node");
  const criteria = [
    "GET /api/users returns 200",
    ...(chromium ? ["agent-browser: open `/` - Users heading is shown"] : []),
  ];
  return createProject({
    tasks: [task("T-001", { acceptanceCriteria: criteria })],
    files,
    config: { services, limits: { max_iterations: 1 } },
    sandbox:
      network === "no sandbox"
        ? { mode: "off" }
        : { mode: "required", network: { mode: network, gates: network } },
  });
}

describe.skipIf(!canLoseIpv4)("on a machine with IPv6 only", () => {
  thorough.for(["no sandbox", ...(hasBubblewrap ? ["host", "cage"] : [])])(
    "%s: services, health checks, criteria of an API and of a page work",
    async (network) => {
      await using project = await createWebProject(network);
      const { exitCode, stdout, stderr } = await ralph(project, ["run"]);
      expect(exitCode, stdout + stderr).toBe(0);
    },
  );

  test.skipIf(!hasBubblewrap)("an agent in a cage reaches the host it may reach", async () => {
    await using project = await createProject({
      tasks: [task("T-001")],
      agent: { implementation: `${asking} >answer.txt; honest` },
      sandbox: { mode: "required", network: { mode: "cage", allow: [`[::1]:${port}`] } },
    });
    const file = join(project.folder, "server.mjs");
    writeFileSync(file, server);
    const { exitCode, stdout, stderr } = await ralph(project, ["run"], `node ${file} &`);
    expect(exitCode, stdout + stderr).toBe(0);
    expect(project.read("answer.txt")).toBe("of the machine");
  });

  thorough("scan finds what it finds elsewhere", async () => {
    await using project = await createWebProject("no sandbox");
    const { exitCode, stdout, stderr } = await ralph(project, ["scan"]);
    expect(exitCode, stdout + stderr).toBe(0);
  });
});
