import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** All temporary folders of a run are below one that goes away with it. */
export function setup(): () => void {
  const folder = realpathSync(mkdtempSync(join(fastFolder(), "ralph-tests-")));
  // Some tests act as another user, who has to get through.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Memory where there is plenty: making thousands of files on a disk takes longer than all tests together. */
function fastFolder(): string {
  if (!existsSync("/dev/shm")) return tmpdir();
  const { bavail, bsize } = statfsSync("/dev/shm");
  return bavail * bsize > 2 ** 30 ? "/dev/shm" : tmpdir();
}
