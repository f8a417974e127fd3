import { cpSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { thorough, times } from "../../setup/sampled.ts";
import { type CrashProject, createCrashTemplate } from "../../support/crash/project.ts";
import type { KillPoint } from "../../support/crash/system.ts";
import { activeFiles } from "../../support/foreign/active-files.ts";
import { recordForeign } from "../../support/foreign/recorder.ts";
import { findingsIn } from "../../support/foreign/strict-reader.ts";

const emit = ["omx", "omc", "claude-ralph", "agent-teams"];
const isForeign = (name: string) => /^(?:write|remove) \.(?:omx|omc|claude)\//.test(name);

/** The effects of a command, as names in order. */
async function effectsOf(project: CrashProject, args: string[]): Promise<string[]> {
  const effects = join(project.root, "../effects");
  await project.ralph(args, { effects });
  return readFileSync(effects, "utf8").trim().split("\n");
}

/** Everything that a killed run left, kept beside it; `restore` puts it back to its place. */
function keep({ root }: CrashProject): { restore: () => void } {
  const folder = dirname(root);
  const kept = `${folder}-kept`;
  cpSync(folder, kept, { recursive: true });
  return {
    restore: () => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      cpSync(kept, folder, { recursive: true });
    },
  };
}

/** Each effect of a resumption on files of other tools until its first agent call, and the moment after it. */
async function settlingPoints(project: CrashProject): Promise<KillPoint[]> {
  const names = await effectsOf(project, ["run", "--resume"]);
  const first = names.findIndex(isForeign);
  const call = names.findIndex((name, at) => at > first && /^append journal/.test(name));
  const found = names.slice(0, call).flatMap((name, at) => (isForeign(name) ? [at + 1] : []));
  return found.flatMap((at) => [
    { at, how: "within" },
    { at, how: "after" },
  ]);
}

/** What may follow. A new session refuses a work tree with an interrupted task (exit 14); its resumption does not. */
const nexts: readonly string[][] = [["run", "--resume"], ["run"], ["cancel"]];

async function goOn(project: CrashProject, args: readonly string[]): Promise<string[]> {
  const { code, output } = await project.ralph(args);
  if (code === 0) return [];
  const isDirty = code === 14 && output.includes("The work tree is not clean");
  return isDirty ? goOn(project, ["run", "--resume"]) : [`ended with ${code}: ${output}`];
}

/** All that is wrong when a resumption is killed at a point and something follows. */
async function faultsAt(project: CrashProject, point: KillPoint, nth: number): Promise<string[]> {
  const args = nexts[nth % nexts.length] ?? [];
  const recording = recordForeign(project.root);
  await project.ralph(["run", "--resume"], { point });
  const faults = [
    ...(await goOn(project, args)),
    ...findingsIn(recording.stop()),
    ...activeFiles(project.root).map((path) => `${path} is active after the end`),
  ];
  const name = `killed ${point.how} effect ${point.at}, then ${args.join(" ")}`;
  return faults.map((fault) => `${name}: ${fault}`);
}

/** When the first run is killed: a task has passed and no file says so; the second task is worked on. */
const firstKills = [
  (names: string[]) => names.findIndex((name) => name.startsWith("write .ralph/prd.json")),
  (names: string[]) =>
    names.findIndex((name, at) => at > 330 && name.startsWith("write evidence/")),
];

// 1 point of the first by default, 8 of both with the hundred runs of CI, all with 1250.
const wanted = Math.max(1, Number(process.env.FC_RUNS ?? 0) * 0.08);

thorough(
  "a resumption that is killed while it settles files leaves none that the next command misreads",
  {
    timeout: 900_000,
  },
  async () => {
    await using template = await createCrashTemplate({ emit });
    using whole = template.copy("whole");
    const names = await effectsOf(whole, ["run"]);
    const faults: string[] = [];
    for (const [kind, find] of firstKills.slice(0, times(1, 2)).entries()) {
      using killed = template.copy(`killed-${kind}`);
      await killed.ralph(["run"], { point: { at: find(names) + 1, how: "before" } });
      const kept = keep(killed);
      const points = await settlingPoints(killed);
      expect(points.length).toBeGreaterThan(10);
      const step = Math.max(1, points.length / wanted);
      for (let nth = 0; nth * step < points.length; nth++) {
        const point = points[Math.floor(nth * step)];
        kept.restore();
        if (point) faults.push(...(await faultsAt(killed, point, nth + kind)));
      }
    }
    expect(faults).toEqual([]);
  },
);
