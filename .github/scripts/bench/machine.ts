import { execFileSync } from "node:child_process";
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { availableParallelism, loadavg, platform, release, tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./median.ts";
import { timeCommand } from "./time-command.ts";

/** What the figures were measured on: without it they say nothing. */
export function describeMachine(ralph: string): string {
  const said = (file: string, ...args: string[]) =>
    execFileSync(file, args, { encoding: "utf8" }).trim();
  const [load = 0] = loadavg();
  return [
    `ralph ${said(ralph, "--version")}, node ${process.version}, ${said("git", "version")}`,
    `${platform()} ${release()}, ${availableParallelism()} cores, load ${load.toFixed(1)}, in ${tmpdir()}`,
    `one flushed line ${timeFlush().toFixed(1)} ms, one process ${timeCommand({ file: "true", args: [] }, 50).toFixed(1)} ms`,
  ].join("\n");
}

/** An appended line and fdatasync: a task has about nine, and the disk decides what they cost. */
function timeFlush(): number {
  const path = join(tmpdir(), `ralph-bench-${process.pid}`);
  const file = openSync(path, "a");
  const flush = () => {
    const startedAt = performance.now();
    writeSync(file, "a line of about the length of an event in a journal\n");
    fdatasyncSync(file);
    return performance.now() - startedAt;
  };
  const times = Array.from({ length: 50 }, flush);
  closeSync(file);
  rmSync(path);
  return median(times);
}
