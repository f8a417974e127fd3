import { readdirSync, readFileSync } from "node:fs";

/** Kills what still runs with a job's tracking id in its environment, as a runner does; answers the command lines. */
export function killOrphans(trackingId: string): string[] {
  return processIds()
    .filter((pid) => readEntry(pid, "environ").includes(`RUNNER_TRACKING_ID=${trackingId}`))
    .map((pid) => {
      const command = readEntry(pid, "cmdline").join(" ").trim();
      killOne(pid);
      return command;
    })
    .filter((command) => command !== "");
}

function killOne(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended in the meantime.
  }
}

/** Only Linux tells the environment of other processes. */
function processIds(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

function readEntry(pid: number, name: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8").split("\0");
  } catch {
    return [];
  }
}
