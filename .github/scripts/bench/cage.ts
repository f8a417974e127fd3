import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { median } from "./measure.ts";
import type { Effort } from "./overhead.ts";
import { createProject } from "./project.ts";
import { type Row, row } from "./row.ts";
import { runSession } from "./session.ts";

const size = { files: 100, tasks: 10 };

/** What bubblewrap and the network cage add to an agent's call, and the cage's proxy to a request; nothing without bubblewrap. */
export async function measureCage({ ralph, place, rounds }: Effort): Promise<Row[]> {
  if (spawnSync("bwrap", ["--version"]).status !== 0) return [];
  const ms: Record<"off" | "host" | "cage", number[]> = { off: [], host: [], cage: [] };
  for (let round = 0; round < rounds; round++) {
    for (const network of ["off", "host", "cage"] as const) {
      const sandbox = network === "off" ? undefined : { network, allow: [] };
      ms[network].push(
        ...(await runSession(createProject(place, { ...size, sandbox }), ralph)).callMs,
      );
    }
  }
  const offMs = median(ms.off);
  const callRow = (what: string, callMs: number) =>
    row(what, callMs - offMs, "ms more", {
      ...{ beside: `${offMs.toFixed(0)} ms`, ralph: `${callMs.toFixed(0)} ms`, goal: 150 },
    });
  return [
    callRow("an agent call in the sandbox", median(ms.host)),
    callRow("an agent call in the sandbox and its cage", median(ms.cage)),
    await measureProxy({ ralph, place }),
  ];
}

const requests = 300;

/** One after the other, and through the proxy if there is one; prints the median in milliseconds. */
const askOften = (port: number) => `
import { request } from "node:http";
const { HTTP_PROXY: proxy } = process.env;
const target = "http://127.0.0.1:${port}/";
const way = proxy ? { host: "127.0.0.1", port: new URL(proxy).port, path: target } : { host: "127.0.0.1", port: ${port}, path: "/" };
const ask = () => new Promise((resolve, reject) => {
  const began = performance.now();
  request(way, (answer) => {
    if (answer.statusCode !== 200) reject(new Error(String(answer.statusCode)));
    answer.resume().on("end", () => resolve(performance.now() - began));
  }).on("error", reject).end();
});
const times = [];
for (let nth = 0; nth < ${requests}; nth++) times.push(await ask());
console.log(times.sort((one, other) => one - other)[${requests / 2}]);
`;

async function measureProxy({ ralph, place }: Pick<Effort, "ralph" | "place">): Promise<Row> {
  const server = createServer((_, response) => response.end("answer")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const medianMs = async (sandbox?: { network: "cage"; allow: string[] }) => {
    const flood = `"${process.execPath}" --input-type=module >work/median.txt <<'END'\n${askOften(port)}\nEND\n`;
    const project = createProject(place, { files: 100, tasks: 1, flood, sandbox });
    await runSession(project, ralph);
    return Number(readFileSync(join(project.root, "work/median.txt"), "utf8"));
  };
  const directMs = await medianMs();
  const proxiedMs = await medianMs({ network: "cage", allow: [`127.0.0.1:${port}`] });
  server.close();
  const what = `a request through the proxy of the cage (median of ${requests})`;
  const shown = { beside: `${directMs.toFixed(2)} ms`, ralph: `${proxiedMs.toFixed(2)} ms` };
  return row(what, proxiedMs - directMs, "ms more", { ...shown, goal: 5 });
}
