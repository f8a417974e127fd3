import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createTestFolder } from "../project/system.ts";

export type Kind = "node" | "python" | "bash";

export interface Contest {
  workers: readonly Kind[];
  /** Increments of each worker. */
  count: number;
  /** Longest pause between two of them: what a worker does beside. */
  pauseMs: number;
  /** Workers that are killed while they hold the lock, in all. */
  kills: number;
}

export interface ContestResult {
  kills: number;
  /** What the file holds at the end, and what the workers were told: each total once. */
  total: number;
  missing: number[];
  repeated: number[];
  waitsMs: Record<Kind, { longest: number; median: number }>;
  /** The part of the time in which somebody who could work had to wait for a processor. */
  starved: number;
  ms: number;
}

/** The Python that has filelock: Debian's package belongs to Debian's Python. */
export const python = ["python3", "/usr/bin/python3"].find(
  (file) => spawnSync(file, ["-c", "import filelock"], { stdio: "ignore" }).status === 0,
);

const support = (name: string) => new URL(name, import.meta.url).pathname;
const commands: Record<Kind, readonly string[]> = {
  node: [process.execPath, support("worker.ts")],
  python: [python ?? "python3", support("worker.py")],
  bash: ["bash", support("worker.sh")],
};

/** Workers of all kinds add to one file under one lock; some are killed in the midst of it and started again. */
export async function runContest(contest: Contest): Promise<ContestResult> {
  await using folder = await createTestFolder();
  const { workers } = contest;
  const lines = ["0", ...workers.map(() => "0 0")];
  writeFileSync(`${folder.path}/state`, `${lines.join("\n")}\n`);
  const began = performance.now();
  const starvedBefore = starvedMs();
  const kills = await Promise.all(
    workers.map((kind, at) => runWorker(folder.path, { contest, kind, at })),
  );
  const ms = performance.now() - began;
  return {
    kills: kills.reduce((sum, each) => sum + each, 0),
    ...totals(folder.path, workers),
    starved: (starvedMs() - starvedBefore) / ms,
    ms,
  };
}

/** What Linux counts of it; 0 where nobody does. */
function starvedMs(): number {
  const path = "/proc/pressure/cpu";
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return Number(/^some .*total=(\d+)/.exec(text)?.[1] ?? 0) / 1000;
}

/** Nobody waits longer than a second for others; what they all wait for a processor comes on top. */
export const longestWaitMs = ({ starved }: ContestResult): number =>
  1000 / Math.max(0.05, 1 - starved);

type Worker = { contest: Contest; kind: Kind; at: number };

/** Until it has done all its increments; answers how often it was killed. */
async function runWorker(folder: string, worker: Worker): Promise<number> {
  const { contest, kind, at } = worker;
  const [file = "", ...args] = commands[kind];
  const options = [at + 1, contest.count, contest.pauseMs, holdsOf(worker)].map(String);
  for (let kills = 0; ; kills++) {
    const child = spawn(file, [...args, folder, ...options], { stdio: ["pipe", "pipe", "pipe"] });
    const { signal, code, said } = await ended(child);
    if (signal === "SIGKILL") continue;
    if (code !== 0) throw new Error(`A ${kind} worker ended with ${code}: ${said}`);
    return kills;
  }
}

/** Spread over its increments; every second one after the file was replaced, the others before. */
function holdsOf({ contest: { workers, count, kills }, at }: Worker): string {
  const own = Math.floor(kills / workers.length) + (at < kills % workers.length ? 1 : 0);
  const moments = Array.from({ length: own }, (_, nth) =>
    Math.floor((count * (nth + 1)) / (own + 1)),
  );
  return moments.map((moment, nth) => `${(nth + at) % 2 === 0 ? "a" : "b"}${moment}`).join(",");
}

async function ended(child: ChildProcess) {
  let said = "";
  child.stdout?.on("data", () => child.kill("SIGKILL"));
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once("close", (...end) => resolve(end));
  });
  return { code, signal, said };
}

function totals(folder: string, workers: readonly Kind[]) {
  const total = Number(readFileSync(`${folder}/state`, "utf8").split("\n")[0]);
  const notes = workers.flatMap((kind, at) =>
    readFileSync(`${folder}/journal-${at + 1}`, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ").map(Number))
      .map(([value = 0, waitMs = 0]) => ({ kind, value, waitMs })),
  );
  const seen = new Map(Map.groupBy(notes, ({ value }) => value));
  const all = Array.from({ length: total }, (_, at) => at + 1);
  return {
    total,
    missing: all.filter((value) => !seen.has(value)),
    repeated: [...seen].flatMap(([value, group]) => (group.length > 1 ? [value] : [])),
    waitsMs: {
      node: waits(notes, "node"),
      python: waits(notes, "python"),
      bash: waits(notes, "bash"),
    },
  };
}

function waits(notes: readonly { kind: Kind; waitMs: number }[], kind: Kind) {
  const own = notes.filter((note) => note.kind === kind).map(({ waitMs }) => waitMs);
  own.sort((a, b) => a - b);
  return { longest: own.at(-1) ?? 0, median: own[own.length >> 1] ?? 0 };
}
