import { spawn } from "node:child_process";
import { once } from "node:events";
import { planServices } from "../../../../src/core/verify/plan-services.ts";
import { clock } from "../../../../src/platform/clock.ts";
import { isPortOpen } from "../../../../src/platform/net/is-port-open.ts";
import { startLong } from "../../../../src/platform/process/start-long.ts";
import { Services } from "../../../../src/schema/config/services.ts";
import { askHealth, pauseMs } from "../../../../src/services/health.ts";
import type { ServiceDeps } from "../../../../src/services/service.ts";
import { startServices } from "../../../../src/services/start-services.ts";
import {
  freePort,
  nodeScript,
  server,
  stubborn,
} from "../../../../test/support/services/scripts.ts";
import { median, p99 } from "../measure.ts";
import { type Row, row } from "../row.ts";
import { timed } from "./figures.ts";

const deaf = `process.on("SIGTERM", () => {}); ${server()}`;

/** Services that ignore SIGTERM; the second forks, and the third puts itself into the background. */
const resisting = [
  stubborn,
  nodeScript(
    `for (let i = 0; i < 5; i++) require("child_process").spawn("bash", ["-c", "trap '' TERM; sleep 300 & wait; wait"], { detached: i % 2 === 0 }); ${deaf}`,
  ),
  `(setsid bash -c "trap '' TERM; ${nodeScript(deaf).replaceAll('"', '\\"')}" </dev/null >/dev/null 2>&1 &)`,
];

/** How soon a service is noticed, and the end of those that resist it, beside that of one that obeys. */
export async function measureStops(cwd: string, count: number): Promise<Row[]> {
  const [noticed, stopped, obeying]: [number[], number[], number[]] = [[], [], []];
  let survivors = 0;
  for (let round = 0; round < count; round++) {
    const port = await freePort();
    const script = resisting[round % resisting.length] ?? stubborn;
    const program = await startShell(cwd, script, port);
    noticed.push(await noticeHealth(port));
    stopped.push(await timed(() => program.stop()));
    if ((await isPortOpen(port)) || program.isAlive()) survivors++;
    if (round % 10 === 0) obeying.push(await endObeying());
  }
  const what = `${count} stops of services that ignore SIGTERM, fork or daemonise`;
  const beside = `${median(obeying).toFixed(0)} ms for one that obeys`;
  return [
    row("a service is noticed after it listens, p99", p99(noticed), "ms", {
      ...{ goal: 100, beside: "asked each ms: 0 ms" },
    }),
    row(`${what}, p99`, p99(stopped), "ms", { goal: 2000, beside }),
    row(`${what}: survivors`, survivors, "times", { goal: 0 }),
  ];
}

async function startShell(cwd: string, script: string, port: number) {
  const args = ["-c", script.replaceAll("{port}", String(port))];
  const program = await startLong({ file: "bash", args, cwd, env: process.env, keepBytes: 1000 });
  if (program.kind !== "started") throw new Error(program.message);
  return program;
}

/** The end of a program that does as SIGTERM says, without ralph. */
async function endObeying(): Promise<number> {
  const child = spawn("sleep", ["300"], { stdio: "ignore" });
  await once(child, "spawn");
  return timed(async () => {
    child.kill();
    await once(child, "exit");
  });
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

const exits = 21;

/** A service that exits at once, from its start to its failure, beside the same shell alone. */
export async function measureExits(cwd: string): Promise<Row> {
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < exits; round++) {
    const port = await freePort();
    ours.push(await timed(() => failAtOnce(cwd, port)));
    bare.push(await timed(() => once(spawn("bash", ["-c", "exit 3"]), "exit")));
  }
  const [ralphMs, bareMs] = [median(ours), median(bare)];
  return {
    what: "a service that exits at once, until it has failed",
    beside: `${bareMs.toFixed(0)} ms`,
    ralph: `${ralphMs.toFixed(0)} ms`,
    ...{ figure: ralphMs - bareMs, unit: "ms more", goal: 100 },
  };
}

async function failAtOnce(cwd: string, port: number): Promise<void> {
  const services = Services.parse({ web: { start: { dev: "exit 3" }, port, timeout: 300 } });
  const started = await startServices(depsAt(cwd), planServices(services, "dev").plans);
  if (started.kind === "up") throw new Error("The service that exits is up.");
}

const depsAt = (root: string): ServiceDeps => ({
  ...{ root, env: process.env, startLong, shell: { file: "bash", args: ["-c"] } },
  supervise: () => Promise.reject(new Error("no build is run")),
  wrap: (program) => program,
  redact: (text) => text,
  connectTo: () => undefined,
  notice: async () => {},
  keepEvidence: async (_, bytes) => ({ sha256: "", bytes }),
  signal: new AbortController().signal,
});
