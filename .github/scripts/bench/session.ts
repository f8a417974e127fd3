import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { gaps } from "./bare-loop.ts";
import type { Project } from "./project.ts";

/** One `ralph run`, as far as its journal and its process tell. */
export interface Measured {
  /** Milliseconds of each task, from its start to the next one's. */
  taskMs: number[];
  /** Milliseconds of each agent call, with all that comes before and after the program. */
  callMs: number[];
  /** From the start of the process to the first agent call, milliseconds. */
  firstCallMs: number;
  /** Bytes of each prompt, in order. */
  promptBytes: number[];
  /** Largest resident size, MB; undefined where there is no /proc. */
  peakMb: number | undefined;
}

/** Runs a build of ralph over all tasks. Anything but "all done" is a fault of the measurement. */
export async function runSession(project: Project, ralph: string): Promise<Measured> {
  const startedAt = Date.now();
  const peakMb = await runRalph(ralph, "run", project);
  return { ...readJournal(project), firstCallMs: project.firstCallAt() - startedAt, peakMb };
}

/** Runs one command; throws with its output unless it ends well. Answers the peak of its memory in MB, if known. */
export async function runRalph(ralph: string, command: string, { folder, root, env }: Project) {
  const log = join(folder, "output");
  const output = openSync(log, "w");
  const child = spawn(ralph, [command], { cwd: root, env, stdio: ["ignore", output, output] });
  const memory = watchMemory(child.pid);
  const [code] = await once(child, "exit");
  closeSync(output);
  if (code !== 0) throw new Error(`ralph ended with ${code}:\n${readFileSync(log, "utf8")}`);
  return memory.stop();
}

const Line = z.object({
  type: z.string(),
  ts: z.string(),
  prompt: z.object({ bytes: z.number() }).optional(),
});

function readJournal({ env }: Project): Pick<Measured, "taskMs" | "callMs" | "promptBytes"> {
  const state = env.RALPH_STATE_DIR ?? "";
  const file = readdirSync(state, { recursive: true, encoding: "utf8" }).find((path) =>
    path.endsWith("/journal.jsonl"),
  );
  const text = readFileSync(join(state, file ?? "journal.jsonl"), "utf8");
  const events = text
    .trim()
    .split("\n")
    .map((line) => Line.parse(JSON.parse(line)));
  const edges = events.filter(({ type }) => type === "task_start" || type === "session_end");
  const calls = events.filter(({ type }) => type === "agent_start" || type === "agent_end");
  return {
    // Every other gap is between two calls.
    callMs: gaps(calls.map(({ ts }) => Date.parse(ts))).filter((_, index) => index % 2 === 0),
    taskMs: gaps(edges.map(({ ts }) => Date.parse(ts))),
    promptBytes: events.flatMap(({ prompt }) => prompt?.bytes ?? []),
  };
}

/** The kernel keeps the peak; the last look before the end has it but for the very last moment. */
function watchMemory(pid = 0): { stop: () => number | undefined } {
  let peakMb: number | undefined;
  const look = () => {
    peakMb = readPeakMb(pid) ?? peakMb;
  };
  const timer = setInterval(look, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return peakMb;
    },
  };
}

function readPeakMb(pid: number): number | undefined {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kib === undefined ? undefined : Number(kib) / 1024;
  } catch {
    return undefined;
  }
}
