import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOptions } from "./read-options.ts";
import { attacks } from "./torture/attacks.ts";
import { goals } from "./torture/goals.ts";
import {
  judgeAttack,
  judgeGoal,
  judgeThreats,
  type Line,
  readResults,
  renderTimes,
} from "./torture/results.ts";
import { shownThreats, threats } from "./torture/threats.ts";

/** Runs the tests that measure the goals of security and reliability, and prints each goal and each threat. */
const root = new URL("../../", import.meta.url).pathname;
const usage = `npm run torture -- [--all] [NAME]...

Runs the tests that measure the goals of security and reliability.
  --all   the full numbers, within an hour; default: samples, within ten minutes
  NAME    only tests of test/torture whose file name contains it`;

const { values, positionals } = readOptions(usage, {
  options: { all: { type: "boolean", default: false } },
  allowPositionals: true,
});

const gateMinutes = values.all ? 60 : 10;
/** Properties run more often than in `npm test`, and no test is left out; long sweeps of the gate are samples (`amount.ts`). */
const amounts = values.all
  ? { TORTURE: "all", FC_RUNS: "1000" }
  : { TORTURE: "sample", FC_RUNS: "500" };

/** Files of which the time is printed. */
const shownFiles = 25;

async function runVitest(args: string[]): Promise<number> {
  const config = ["run", "--config", "test/vitest.config.ts", "--project", "torture"];
  const env = { ...amounts, ...process.env };
  const child = spawn(`${root}node_modules/.bin/vitest`, [...config, ...args], {
    cwd: root,
    env,
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  return code ?? 1;
}

async function runGate(): Promise<number> {
  const began = performance.now();
  const patterns = goals.flatMap(({ files, more = [] }) => [...files, ...(values.all ? more : [])]);
  const further = Object.values(shownThreats).flatMap((shown) => shown.map(({ file }) => file));
  const files = [...new Set([...patterns, ...further].flatMap(filesOf))];
  const folder = mkdtempSync(join(tmpdir(), "ralph-torture-"));
  const report = join(folder, "report.json");
  const progress = `${root}.github/scripts/torture/progress.ts`;
  const reporters = ["--reporter=json", `--outputFile.json=${report}`, `--reporter=${progress}`];
  await runVitest(["--project", "unit", "--project", "system", ...reporters, ...files]);
  if (!existsSync(report)) return stopped();
  const results = readResults(report, root);
  rmSync(folder, { recursive: true });
  const minutes = (performance.now() - began) / 60_000;
  const lines = [
    ...goals.map(({ id, files: own, more = [] }) => judgeGoal(id, [...own, ...more], results)),
    timeLine(minutes),
    supplyLine(),
  ];
  lines.sort((one, other) => one.id.localeCompare(other.id));
  const tried = attacks.map((attack) => judgeAttack(attack, results));
  const known = judgeThreats(results, { threats, shown: shownThreats, attacks });
  print("\nGoals", lines);
  console.log("");
  for (const { id, promise } of goals) console.log(`${id}  ${promise}`);
  print("\nAttacks", tried);
  print("\nThreats", known);
  console.log(`\nTime\n${renderTimes(results, shownFiles).join("\n")}`);
  for (const { file, title, status, reasons } of results)
    if (status === "failed") console.log([`\nFAILED ${file}\n  ${title}`, ...reasons].join("\n"));
  return [...lines, ...tried, ...known].some(({ verdict }) => verdict === "FAILED") ? 1 : 0;
}

function stopped(): number {
  console.log("The tests were stopped before their end, so nothing was measured.");
  return 1;
}

function filesOf(pattern: string): string[] {
  const files = globSync(pattern, { cwd: root });
  if (files.length === 0) throw new Error(`No test is called ${pattern}.`);
  return files;
}

const timeLine = (minutes: number): Line => ({
  id: "G17",
  verdict: minutes <= gateMinutes ? "met" : "FAILED",
  measured: `${minutes.toFixed(1)} of ${gateMinutes} minutes`,
});

/** Each direct dependency has an exact version; why each is there is in CONTRIBUTING. */
function supplyLine(): Line {
  const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const versions = Object.values<string>(dependencies);
  const loose = versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version)).length;
  const measured = `${versions.length} direct dependencies, ${loose} without an exact version`;
  return { id: "G19", verdict: loose === 0 ? "met" : "FAILED", measured };
}

function print(title: string, lines: readonly Line[]): void {
  console.log(title);
  const width = Math.max(...lines.map(({ id }) => id.length));
  for (const { id, verdict, measured } of lines)
    console.log(`${id.padEnd(width)}  ${verdict.padEnd(8)} ${measured}`);
}

process.exitCode = positionals.length > 0 ? await runVitest(positionals) : await runGate();
