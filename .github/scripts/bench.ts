import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { measureAction } from "./bench/action.ts";
import { measureApp } from "./bench/app/app.ts";
import { measureDashboard } from "./bench/app/dashboard.ts";
import { measureAutopilot } from "./bench/autopilot.ts";
import { measureCage } from "./bench/cage.ts";
import { measureFlood, measureGrowth, measureParallel } from "./bench/growth.ts";
import { describeMachine } from "./bench/machine.ts";
import { type Effort, measureDialects, measureOverhead, measureStart } from "./bench/overhead.ts";
import { measureProof } from "./bench/proof.ts";
import { measureReport } from "./bench/report.ts";
import { type Row, renderRows } from "./bench/row.ts";
import { measureVerify } from "./bench/verify/measure-verify.ts";
import { readOptions, stopScript } from "./read-options.ts";

/** Measures ralph beside a bare shell loop with the same agents, gate and commits, in turns, on this machine. */
const usage = `npm run bench -- [--quick] [--ralph FILE] [--only NAME]...

Measures ralph beside a bare shell loop with the same agents, gate and commits.
  --quick        about a minute
  --ralph FILE   another build's dist/cli.js, to compare two; the action is always this checkout's
  --only NAME    one scenario; more than one may be named`;

const { values } = readOptions(usage, {
  options: {
    quick: { type: "boolean", default: false },
    ralph: { type: "string" },
    only: { type: "string", multiple: true },
  },
});
if (values.ralph === undefined) await import("./build.ts");
const ralph = resolve(values.ralph ?? new URL("../../dist/cli.js", import.meta.url).pathname);
const place = mkdtempSync(join(tmpdir(), "ralph-bench-"));
process.on("exit", () => rmSync(place, { recursive: true, force: true, maxRetries: 3 }));
const effort: Effort = values.quick
  ? { ralph, place, rounds: 1, files: [100, 1000], tasks: 200 }
  : { ralph, place, rounds: 3, files: [100, 1000, 10_000], tasks: 999 };

const scenarios: Record<string, () => Promise<Row[]>> = {
  start: () => measureStart(effort),
  overhead: () => measureOverhead(effort),
  growth: () => measureGrowth(effort),
  flood: () => measureFlood(effort),
  dialects: () => measureDialects(effort),
  parallel: () => measureParallel(effort),
  proof: () => measureProof(effort),
  autopilot: () => measureAutopilot(effort),
  report: async () => measureReport(effort),
  dashboard: () => measureDashboard(effort),
  cage: () => measureCage(effort),
  action: () => measureAction(effort),
  app: () => measureApp(effort),
  verify: () => measureVerify(effort),
};

const unknown = values.only?.find((name) => !(name in scenarios));
if (unknown)
  stopScript(`There is no scenario ${unknown}, only ${Object.keys(scenarios).join(", ")}`);
console.log(`${describeMachine(ralph)}\n`);
const rows: Row[] = [];
for (const [name, measure] of Object.entries(scenarios)) {
  if (values.only && !values.only.includes(name)) continue;
  console.error(`measuring ${name} …`);
  rows.push(...(await measure()));
}
console.log(renderRows(rows));
