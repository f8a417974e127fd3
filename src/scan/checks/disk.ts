import { stateFolder } from "../../journal/session-store.ts";
import { type Check, failure, pass, skipped, warningResult } from "../check.ts";
import type { ScanContext } from "../scan-context.ts";

const mebibyte = 1024;
/** Enough for evidence, git objects and a checkout of a small project; below the minimum a session ends (F05). */
const comfortable = 1024 * mebibyte;
const least = 100 * mebibyte;

/** Checks the free space for the work tree and the state directory. */
export const disk: Check = {
  name: "disk",
  needs: [],
  run: async (context) => {
    const free = await freeSpace(context);
    const [tightest] = free.toSorted((one, other) => one.kibibytes - other.kibibytes);
    if (tightest === undefined) return skipped("`df` does not report the free space");
    const { kibibytes, mount } = tightest;
    const room = `${renderRoom(kibibytes)} free on ${mount}`;
    const remedy = "Free some space; `ralph clean` removes old sessions.";
    if (kibibytes < least) return failure(room, { path: mount, remedy });
    return kibibytes < comfortable
      ? warningResult(room, { path: mount, remedy })
      : pass(room, { path: mount });
  },
};

type Free = { mount: string; kibibytes: number };

async function freeSpace({ system, root }: ScanContext): Promise<Free[]> {
  // df reports missing folders on stderr, and the others on stdout.
  const args = ["-Pk", root, stateFolder(system.env)];
  const { stdout } = await system.ask({
    file: "df",
    args,
    cwd: "/",
    env: { PATH: system.env.PATH },
  });
  return stdout.toString().split("\n").slice(1).flatMap(readLine);
}

function readLine(line: string): Free[] {
  const [, kibibytes, mount] = /\s(\d+)\s+\S+%\s+(\/.*)$/.exec(line) ?? [];
  return kibibytes && mount ? [{ mount, kibibytes: Number(kibibytes) }] : [];
}

const renderRoom = (kibibytes: number) =>
  kibibytes < comfortable
    ? `${Math.floor(kibibytes / mebibyte)} MiB`
    : `${(kibibytes / mebibyte / 1024).toFixed(1)} GiB`;
