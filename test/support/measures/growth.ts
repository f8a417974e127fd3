/**
 * How many times as long `act` takes for 16 times the size: about 16 where its time is linear, 256 where it is quadratic.
 * It is CPU time of the fastest of three attempts, so that it is the same on a busy machine.
 */
export function growthOf(act: (size: number) => unknown, size: number): number {
  act(size);
  return fastest(() => act(16 * size)) / fastest(() => act(size));
}

/** More than a garbage collector makes of 16, and less than 256. */
export const linear = 80;

function fastest(act: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    act();
    return process.cpuUsage(before).user;
  });
  // Below a millisecond it is noise.
  return Math.max(1000, Math.min(...times));
}
