import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** The App as `npm run app` starts it. */
export interface AppProcess extends AsyncDisposable {
  url: string;
  /** From the start of the process until it listens. */
  startMs: number;
  /** Its resident memory now; NaN where there is no /proc. */
  residentMb: () => number;
}

const program = new URL("../../../../app/main.ts", import.meta.url).pathname;

/** Starts it with nothing but these variables and PATH. */
export async function startAppProcess(env: Record<string, string>): Promise<AppProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await listening(child);
  return {
    url,
    startMs: performance.now() - startedAt,
    residentMb: () => residentMb(child.pid),
    async [Symbol.asyncDispose]() {
      child.kill();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

async function listening({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error("The App has no output.");
  for await (const line of createInterface(stdout)) {
    const [, url] = /(http:\/\/[\w.:[\]]+)/.exec(line) ?? [];
    if (!line.includes("ralph listens at") || url === undefined) continue;
    // Later output must not fill the pipe.
    stdout.resume();
    return url;
  }
  throw new Error("The App has not come up.");
}

function residentMb(pid: number | undefined): number {
  try {
    const [, kilobytes] =
      /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}
