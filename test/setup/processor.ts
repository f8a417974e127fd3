import { readFileSync } from "node:fs";
import { afterEach } from "vitest";

/** Processor seconds of this process and of all it started and waited for. Linux counts them in hundredths. */
function readProcessor(): number {
  const [, fields = ""] = readFileSync("/proc/self/stat", "utf8").split(") ");
  // User and system time, its own and that of its children.
  return fields
    .split(" ")
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
}

let before = readProcessor();

/** For the report of `npm run torture`: what each test has cost, however busy the machine is. */
afterEach(({ task }) => {
  const now = readProcessor();
  task.meta.processorSeconds = now - before;
  before = now;
});
