import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import { planServices } from "../../../src/core/verify/plan-services.ts";
import { clock } from "../../../src/platform/clock.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { isPortOpen } from "../../../src/platform/net/is-port-open.ts";
import { readProcesses, readText } from "../../../src/platform/process/process-table.ts";
import { startLong } from "../../../src/platform/process/start-long.ts";
import { Services } from "../../../src/schema/config/services.ts";
import { callApi } from "../../../src/services/call-api.ts";
import { askHealth, pauseMs } from "../../../src/services/health.ts";
import { type BrowserClient, createBrowser } from "../../../src/ui/browser.ts";
import { findChromium } from "../../../src/ui/find-chromium.ts";
import { expectOnPage, runActions, usualLimits } from "../../../src/ui/run-actions.ts";
import { freePort, stubborn } from "../../../test/support/services/scripts.ts";
import { median, p99 } from "./measure.ts";
import type { Effort } from "./overhead.ts";
import { type Row, row } from "./row.ts";

/** Services that resist their end, and browser tests beside bare page loads of the same browser. */
export const measureVerify = async ({ place, rounds }: Effort): Promise<Row[]> => [
  ...(await measureStops(place, rounds === 1 ? 20 : 100)),
  await measureApi(),
  ...(await measureBrowser(place)),
];

/** One request of a criterion to a service that is up, with its evidence. */
async function measureApi(): Promise<Row> {
  const server = await servePage();
  const { port } = server.address() as AddressInfo;
  const plans = planServices(
    Services.parse({ web: { start: { dev: "x {port}" }, port } }),
    "dev",
  ).plans;
  const evidence = { sha256: "", bytes: 0 };
  const redact = (text: string) => text;
  const deps = { plans, redact, connectTo: () => undefined, keepEvidence: async () => evidence };
  const request = { method: "GET", target: "/", status: 200 } as const;
  const times: number[] = [];
  for (let round = 0; round < 50; round++) times.push(await timed(() => callApi(deps, request)));
  server.close();
  return row("an API criterion on a warm stage", median(times), "ms", { goal: 20 });
}

/** A shell, a server and a child of a session of its own that all ignore SIGTERM. */
async function measureStops(cwd: string, count: number): Promise<Row[]> {
  const [noticed, stopped]: [number[], number[]] = [[], []];
  let survivors = 0;
  for (let round = 0; round < count; round++) {
    const port = await freePort();
    const args = ["-c", stubborn.replaceAll("{port}", String(port))];
    const program = await startLong({ file: "bash", args, cwd, env: process.env, keepBytes: 1000 });
    if (program.kind !== "started") throw new Error(program.message);
    noticed.push(await noticeHealth(port));
    const ms = await timed(() => program.stop());
    stopped.push(ms);
    if ((await isPortOpen(port)) || program.isAlive()) survivors++;
  }
  const what = `${count} stops of a server that ignores SIGTERM`;
  return [
    row("a service is noticed after it listens, p99", p99(noticed), "ms", { goal: 100 }),
    row(`${what}, p99`, p99(stopped), "ms", { goal: 2000 }),
    row(`${what}: survivors`, survivors, "times", { goal: 0 }),
  ];
}

/** From the first moment the port accepts connections, asked every millisecond, to a good answer at ralph's pace. */
async function noticeHealth(port: number): Promise<number> {
  const began = clock.monotonic();
  const listens = (async () => {
    while (!(await isPortOpen(port))) await clock.sleep(1);
    return clock.monotonic();
  })();
  while (!(await askHealth(port, [])).isHealthy)
    await clock.sleep(pauseMs(clock.monotonic() - began));
  const healthy = clock.monotonic();
  return Math.max(0, healthy - (await listens));
}

const tests = 10;

async function measureBrowser(root: string): Promise<Row[]> {
  const system = createSystem();
  const executable = await findChromium(system);
  if (executable === undefined) {
    console.error("skipped: browser tests; this machine has no Chromium");
    return [];
  }
  const server = await servePage();
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { signal } = new AbortController();
  const place = { startLong, files: system.files, root, env: process.env, executable, signal };
  await using browser = createBrowser({ ...place, wrap: (program) => program, isSandboxed: false });
  const start = await timed(() => browser.ask({ do: "page" }));
  const ours = await timed(() => runTests(browser, baseUrl));
  const bare = await timedBare(executable, baseUrl);
  const warm: number[] = [];
  for (let round = 0; round < tests; round++)
    warm.push(await timed(() => runTest(browser, baseUrl)));
  const memory = readSharedMemory(process.pid);
  await browser.ask({ do: "page" });
  const hung = await timed(() => hang(browser, baseUrl));
  server.close();
  server.closeAllConnections();
  return [
    row("memory of driver and browser, shared parts once", memory, "MB", { goal: 600 }),
    row("a page that never answers, beyond its limit of 2 s", hung - hangMs, "ms", { goal: 1000 }),
    row("start of the browser", start, "ms", { goal: 1500 }),
    row("ten browser tests", ours / bare, "times", {
      ...{ beside: `${bare.toFixed(0)} ms`, ralph: `${ours.toFixed(0)} ms`, goal: 3 },
    }),
    row("a browser criterion on a warm stage", median(warm), "ms", { goal: 300 }),
  ];
}

const hangMs = 2000;

async function hang(browser: BrowserClient, baseUrl: string): Promise<void> {
  const limits = { baseUrl, ...usualLimits, loadMs: hangMs };
  const opened = await runActions(browser, [{ verb: "open", path: "/hang" }], limits);
  if (opened.ok) throw new Error("The page that never answers was loaded.");
}

/** Proportional set size of all descendants in MB (proc(5), smaps_rollup). */
function readSharedMemory(root: number): number {
  const entries = readProcesses();
  const members = new Set([root]);
  for (let size = 0; size !== members.size; ) {
    size = members.size;
    for (const { pid, parent } of entries) if (members.has(parent)) members.add(pid);
  }
  members.delete(root);
  const kilobytes = [...members].map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? "")?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

async function runTests(browser: BrowserClient, baseUrl: string): Promise<void> {
  for (let test = 0; test < tests; test++) {
    await browser.ask({ do: "page" });
    await runTest(browser, baseUrl);
    await browser.ask({ do: "picture", timeoutMs: 5000 });
  }
}

async function runTest(browser: BrowserClient, baseUrl: string): Promise<void> {
  const limits = { baseUrl, ...usualLimits };
  const opened = await runActions(browser, [{ verb: "open", path: "/" }], limits);
  const shown = await expectOnPage(browser, "Welcome heading", limits);
  if (!opened.ok || !shown.ok) throw new Error("The page did not load.");
}

/** The same loads without ralph: a fresh context each, in a browser that runs already. */
async function timedBare(executablePath: string, baseUrl: string): Promise<number> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath, args });
  const ms = await timed(async () => {
    for (let test = 0; test < tests; test++) {
      const context = await browser.newContext();
      await (await context.newPage()).goto(baseUrl);
      await context.close();
    }
  });
  await browser.close();
  return ms;
}

async function servePage(): Promise<Server> {
  const server = createServer(({ url }, response) => {
    if (url === "/hang") return;
    response.setHeader("content-type", "text/html");
    response.end("<title>Bench</title><h1>Welcome</h1>");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return server;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = clock.monotonic();
  await work();
  return clock.monotonic() - began;
}
