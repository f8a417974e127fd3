import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { webhookPath } from "../../../../app/settings/settings.ts";
import { deliver, webhookSecret } from "../../../../test/support/app/deliveries.ts";
import { type AppGitHub, startAppGitHub } from "../../../../test/support/app/github.ts";
import { median, p99 } from "../measure.ts";
import type { Effort } from "../overhead.ts";
import { type Row, row } from "../row.ts";
import { type AppProcess, startAppProcess } from "./app-process.ts";
import { countDashboardWrites } from "./dashboard-writes.ts";
import { measureReplicas } from "./replicas.ts";
import { measureSiege } from "./siege.ts";

const config = `version: "1"
task_source: { type: prd_json, path: .ralph/prd.json }
git: { base_branch: main }
gates: { full: [{ name: test, cmd: npm test }] }
autopilot: { enabled: true }
limits: { open_prs: 50, runs_per_day: 1000 }
`;
const ada = { login: "ada", id: 5, type: "User" };
const sockets = 50;
/** GitHub opens many connections, but not one for each delivery. */
const burstSize = 1000;
const burstSockets = 200;
/** The first one finds code that has never run. */
const burstRounds = 3;
const settleMs = 3000;
/** A pause, so that the next measurement may write at once. */
const quietMs = 10_000;

/**
 * The real process of the App with the embedded store, on a GitHub on this machine: what it takes idle, from a label to
 * the workflow, and how many deliveries it keeps, each flushed to the disk before it is acknowledged; then how it stands a
 * siege, and what a second replica adds.
 */
export async function measureApp(effort: Effort): Promise<Row[]> {
  const { place, rounds } = effort;
  await using github = await startAppGitHub();
  github.files.set(".ralph/ralph.yml", config);
  const permission = { permission: "write", role_name: "write", user: { type: "User", id: 5 } };
  github.fake.state.permissions.ada = permission;
  await using app = await startAppProcess(environmentFor(github, place));
  await sleep(settleMs);
  const idleMb = app.residentMb();
  const labelMs: number[] = [];
  for (let issue = 1; issue <= rounds; issue++) {
    labelMs.push(await timeLabel({ github, app, issue }));
    await sleep(quietMs);
  }
  const bursts: number[] = [];
  for (let round = 0; round < burstRounds; round += 1) {
    bursts.push((await timeDeliveries(app, { total: burstSize, sockets: burstSockets })).p99Ms);
  }
  const writes = await countDashboardWrites(github, app);
  const flood = await timeDeliveries(app, { total: 2000 * rounds, sockets });
  const { startMs } = app;
  const rows = rowsOf({ startMs, idleMb, labelMs: median(labelMs), ...flood, writes, bursts });
  const besieged = await measureSiege((other) => environmentFor(other, `${place}/besieged`));
  return [...rows, ...besieged, ...(await measureReplicas(effort))];
}

const environmentFor = (github: AppGitHub, place: string): Record<string, string> => ({
  ...{ APP_ID: "1", PRIVATE_KEY: github.privateKey, WEBHOOK_SECRET: webhookSecret, PORT: "0" },
  ...{ GHE_HOST: new URL(github.server.url).host, GHE_PROTOCOL: "http" },
  RALPH_DATA_DIR: `${place}/app/data`,
});

const bodyOf = (issue: number, label: string, repository = { id: 7, full_name: "octo/example" }) =>
  JSON.stringify({
    action: "labeled",
    issue: { number: issue, state: "open", updated_at: `2026-01-25T10:00:${issue}`, user: ada },
    label: { name: label },
    installation: { id: 3 },
    repository: { ...repository, default_branch: "main" },
    sender: ada,
  });

type Labelled = { github: AppGitHub; app: AppProcess; issue: number };

/** From the delivery to the workflow that GitHub is asked to start. */
async function timeLabel({ github, app, issue }: Labelled): Promise<number> {
  const count = github.dispatches.length;
  const startedAt = performance.now();
  await deliver(`${app.url}${webhookPath}`, { id: randomUUID(), body: bodyOf(issue, "ralph") });
  while (github.dispatches.length === count) {
    if (performance.now() - startedAt > 60_000) throw new Error("No workflow was started.");
    await sleep(2);
  }
  return performance.now() - startedAt;
}

/** Labels of another repository that start nothing, over several connections at a time, as fast as they are acknowledged. */
async function timeDeliveries(
  app: AppProcess,
  { total, sockets }: { total: number; sockets: number },
) {
  const body = bodyOf(1, "bug", { id: 8, full_name: "octo/other" });
  const ackMs: number[] = [];
  let left = total;
  const startedAt = performance.now();
  const send = async () => {
    while (left-- > 0) {
      const sentAt = performance.now();
      const { status } = await deliver(`${app.url}${webhookPath}`, { id: randomUUID(), body });
      if (status !== 202) throw new Error(`A delivery was answered with ${status}.`);
      ackMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: sockets }, send));
  const perSecond = (1000 * total) / (performance.now() - startedAt);
  return { perSecond, p99Ms: p99(ackMs), busyMb: app.residentMb() };
}

type Figures = Record<
  "startMs" | "idleMb" | "labelMs" | "perSecond" | "p99Ms" | "busyMb",
  number
> & {
  /** 99 of 100 acknowledgements in each burst. */
  bursts: readonly number[];
  /** Writes to a dashboard issue in a minute. */
  writes: number;
};

function rowsOf({ perSecond, bursts, ...of }: Figures): Row[] {
  const shownBursts = bursts.map((ms) => ms.toFixed(0)).join(", ");
  return [
    row("start of the App", of.startMs, "ms"),
    row("memory of the idle App", of.idleMb, "MB", { goal: 150 }),
    row("the same after those deliveries", of.busyMb, "MB"),
    row("label to dispatched workflow", of.labelMs, "ms", { goal: 2000 }),
    row("1,000 deliveries kept on the disk", 1_000_000 / perSecond, "ms", {
      ...{ ralph: `${perSecond.toFixed(0)} deliveries/s`, goal: 2000 },
    }),
    row("acknowledgement, 99 of 100", of.p99Ms, "ms", { goal: 250 }),
    row(`the same of ${burstSize} at once`, median(bursts), "ms", {
      ...{ beside: `bursts ${shownBursts} ms`, goal: 250 },
    }),
    row("writes to a dashboard in a minute, under load", of.writes, "requests", { goal: 2 }),
  ];
}
