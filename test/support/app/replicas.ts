import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openStore } from "../../../app/store/open-store.ts";
import { createSystem } from "../../../src/platform/create-system.ts";

const program = new URL("./replica-child.ts", import.meta.url).pathname;

export interface ReplicasGiven {
  databaseUrl: string;
  /** An empty folder. */
  folder: string;
  replicas: number;
  jobs: number;
  /** So many repositories they are spread over. */
  groups: number;
  /** What each of them waits. */
  waitMs: number;
}

/** How long the work took, how much of it each replica did, and how many jobs were done more than once. */
export interface ReplicasResult {
  ms: number;
  shares: number[];
  doubles: number;
}

/** Processes that share a database do some jobs. */
export async function runReplicas(given: ReplicasGiven): Promise<ReplicasResult> {
  const { databaseUrl, folder, replicas, jobs, groups, waitMs } = given;
  mkdirSync(join(folder, "effects"));
  await using store = await openStore(
    createSystem(),
    { databaseUrl, dataFolder: `${folder}/data` },
    () => undefined,
  );
  const children = await Promise.all(Array.from({ length: replicas }, () => startReplica(given)));
  try {
    const startedAt = performance.now();
    await store.queue.add(
      Array.from({ length: jobs }, (_, index) => ({
        ...{ id: randomUUID(), kind: "wait", group: `octo/r${index % groups}`, data: waitMs },
      })),
    );
    for (;;) {
      const { ready, active } = await store.queue.counts();
      if (ready + active === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const ms = performance.now() - startedAt;
    return { ms, ...readEffects(join(folder, "effects"), jobs) };
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(children.map((child) => child.exitCode ?? once(child, "exit")));
  }
}

async function startReplica({ databaseUrl, folder }: ReplicasGiven): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, folder], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(createInterface(child.stdout), "line");
  return child;
}

function readEffects(folder: string, jobs: number): Omit<ReplicasResult, "ms"> {
  const effects = readdirSync(folder).map((name) =>
    readFileSync(join(folder, name), "utf8").trimEnd().split("\n"),
  );
  if (effects.length !== jobs) throw new Error(`${effects.length} of ${jobs} jobs were done.`);
  const byProcess = Map.groupBy(effects.flat(), (pid) => pid);
  return {
    shares: [...byProcess.values()].map((own) => own.length / jobs),
    doubles: effects.filter((marks) => marks.length > 1).length,
  };
}
