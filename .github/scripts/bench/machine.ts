import { execFileSync } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { availableParallelism, loadavg, platform, release, tmpdir } from "node:os";
import { join } from "node:path";
import { median, timeCommand } from "./measure.ts";

/** The machine behind the figures, which mean nothing without it. */
export function describeMachine(ralph: string): string {
  const said = (file: string, ...args: string[]) =>
    execFileSync(file, args, { encoding: "utf8" }).trim();
  const [load = 0] = loadavg();
  const processMs = timeCommand({ file: "true", args: [] }, 50);
  return [
    `ralph ${said(ralph, "--version")}, node ${process.version}, ${said("git", "version")}`,
    `${platform()} ${release()}, ${availableParallelism()} cores, load ${load.toFixed(1)}, in ${tmpdir()}`,
    `a new file flushed to the disk ${timeFlush().toFixed(1)} ms, a process ${processMs.toFixed(1)} ms`,
  ].join("\n");
}

/** A task flushes about a dozen new files and ten journal lines: the disk decides what that costs. */
function timeFlush(): number {
  const folder = mkdtempSync(join(tmpdir(), "ralph-bench-"));
  const times = Array.from({ length: 50 }, (_, index) => flushNew(join(folder, String(index))));
  rmSync(folder, { recursive: true });
  return median(times);
}

function flushNew(path: string): number {
  const startedAt = performance.now();
  const file = openSync(path, "w");
  writeSync(file, "as long as a small object of git\n");
  fsyncSync(file);
  closeSync(file);
  return performance.now() - startedAt;
}
