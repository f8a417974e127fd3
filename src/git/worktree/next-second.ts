import type { Repository } from "../repository/repository.ts";

/**
 * Waits until the file system's clock reaches the next second. Git compares times by the second: only an index that is
 * newer than its files detects every later change by time alone.
 */
export async function untilNextSecond({ system, privateDir }: Repository): Promise<void> {
  const files = system.files(privateDir);
  const look = async () => {
    await files.write("clock", "");
    return toSecond((await files.stat("clock"))?.changedMs ?? 0);
  };
  const first = await look();
  while ((await look()) <= first) await system.clock.sleep(50);
  await files.remove("clock");
}

export const toSecond = (ms: number) => Math.floor(ms / 1000);
